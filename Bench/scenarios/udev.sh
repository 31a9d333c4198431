# The real udev applies the installed rules. A USB receiver gets its names, its group and its tag; a modem of the same vendor gets no
# receiver name. GPIO chips and I2C buses belong to their groups. udev removes the names of an unplugged receiver.

# This kernel has no modules that udevd's helpers could load.
tool systemd-sysusers
tool udevadm
systemd-sysusers /usr/lib/sysusers.d/binnacle.conf
/lib/systemd/systemd-udevd --daemon
wait_for 5 "udev runs" udevadm control --ping

group_of() { stat -L -c '%G %a' "$1"; }
property() { udevadm info --query=property --name "$1" | sed -n "s/^$2=//p"; }

usb_receiver_made
usb_plug
wait_for 5 "the receiver has its name" test -e /dev/binnacle/receiver
udevadm settle
expect_equal "the target of the receiver's name" "$(readlink -f /dev/binnacle/receiver)" /dev/ttyACM0
expect_equal "the receiver's group and mode" "$(group_of /dev/binnacle/receiver)" "dialout 660"
place=$(property ttyACM0 ID_PATH)
expect_not "udev knows the receiver's place (ID_PATH)" test -z "$place"
expect_equal "the target of the receiver's name by place" "$(readlink -f "/dev/binnacle/receiver-$place")" /dev/ttyACM0
expect "the receiver has the tag systemd" sh -c 'udevadm info --query=property --name ttyACM0 | grep -q "^TAGS=.*:systemd:"'
expect_equal "the property that excludes the receiver from ModemManager" "$(property ttyACM0 ID_MM_DEVICE_IGNORE)" 1

usb_unplug
wait_for 5 "the name of the unplugged receiver is removed" test ! -e /dev/binnacle/receiver
expect_not "the name by place is removed, too" test -e "/dev/binnacle/receiver-$place"

echo 0x1102 >"$usb_gadget/idProduct"
usb_plug
udevadm settle
expect "the modem has a device" test -c /dev/ttyACM0
expect_not "a modem of the same vendor gets no receiver name" test -e /dev/binnacle/receiver
expect_equal "the property that would exclude the modem from ModemManager" "$(property ttyACM0 ID_MM_DEVICE_IGNORE)" ""
usb_unplug
echo 0x01a8 >"$usb_gadget/idProduct"
usb_plug
wait_for 5 "the receiver has its name again" test -e /dev/binnacle/receiver

gpio_chip pinctrl-bench LED
udevadm settle
expect_equal "group and mode of a GPIO chip" "$(group_of "/dev/$(gpio_device pinctrl-bench)")" "gpio 660"
kernel_module i2c-stub chip_addr=0x1d
udevadm settle
expect_equal "group and mode of an I2C bus" "$(group_of /dev/i2c-0)" "i2c 660"
