# The real udev applies the installed rules. A receiver at USB gets its names, its group and its tag; a modem of the same
# vendor gets none of them. GPIO chips and I2C buses belong to their groups. After unplugging the names are removed.

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
expect_equal "the name leads to" "$(readlink -f /dev/binnacle/receiver)" /dev/ttyACM0
expect_equal "its group and mode" "$(group_of /dev/binnacle/receiver)" "dialout 660"
place=$(property ttyACM0 ID_PATH)
expect_not "its place is known" test -z "$place"
expect_equal "the name by its place leads to" "$(readlink -f "/dev/binnacle/receiver-$place")" /dev/ttyACM0
expect "service managers see it" sh -c 'udevadm info --query=property --name ttyACM0 | grep -q "^TAGS=.*:systemd:"'
expect_equal "ModemManager leaves it alone" "$(property ttyACM0 ID_MM_DEVICE_IGNORE)" 1

usb_unplug
wait_for 5 "unplugged, the name is gone" test ! -e /dev/binnacle/receiver
expect_not "also that by its place" test -e "/dev/binnacle/receiver-$place"

echo 0x1102 >"$usb_gadget/idProduct"
usb_plug
udevadm settle
expect_not "a modem of the same maker is no receiver" test -e /dev/binnacle/receiver
usb_unplug
echo 0x01a8 >"$usb_gadget/idProduct"
usb_plug
wait_for 5 "the receiver is back under its name" test -e /dev/binnacle/receiver

gpio_chip pinctrl-bench LED
udevadm settle
expect_equal "group and mode of a chip" "$(group_of "/dev/$(gpio_device pinctrl-bench)")" "gpio 660"
kernel_module i2c-stub chip_addr=0x1d
udevadm settle
expect_equal "group and mode of a bus" "$(group_of /dev/i2c-0)" "i2c 660"
