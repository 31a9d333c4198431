# A USB receiver: a gadget of this kernel at a host controller of this kernel. The receiver's own end is /dev/ttyGS0. The other end
# is /dev/ttyACM0 while the receiver is plugged in.

usb_gadget=/sys/kernel/config/usb_gadget/receiver

# usb_receiver_made: makes an unplugged receiver with the USB descriptors of a u-blox receiver of generation 8.
usb_receiver_made() {
  mkdir "$usb_gadget"
  echo 0x1546 >"$usb_gadget/idVendor"
  echo 0x01a8 >"$usb_gadget/idProduct"
  mkdir "$usb_gadget/strings/0x409"
  echo "u-blox AG - www.u-blox.com" >"$usb_gadget/strings/0x409/manufacturer"
  echo "u-blox GNSS receiver" >"$usb_gadget/strings/0x409/product"
  mkdir -p "$usb_gadget/configs/c.1" "$usb_gadget/functions/acm.0"
  ln -s "$usb_gadget/functions/acm.0" "$usb_gadget/configs/c.1/"
  # A new terminal echoes input, which must not come back to the sender.
  stty -F /dev/ttyGS0 raw -echo
}

usb_plug() {
  ls /sys/class/udc | head -n 1 >"$usb_gadget/UDC"
  wait_for 5 "the receiver's device exists" test -c /dev/ttyACM0
}

usb_unplug() {
  echo >"$usb_gadget/UDC"
  wait_for 5 "the receiver's device is removed" test ! -e /dev/ttyACM0
}
