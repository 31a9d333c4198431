# A USB receiver shows up with its numbers, passes bytes on, ends its reader when it is unplugged, and comes back.

usb_receiver_made
expect_not "unplugged, it has no device" test -e /dev/ttyACM0
usb_plug
device=$(readlink -f /sys/class/tty/ttyACM0/device)
expect_equal "its vendor and product" \
  "$(cat "$device/../idVendor" "$device/../idProduct" | tr '\n' ' ')" "1546 01a8 "
expect_equal "its driver" "$(basename "$(readlink "$device/driver")")" cdc_acm

stty -F /dev/ttyACM0 raw -echo
cat /dev/ttyACM0 >/run/heard &
reader=$!
is_open() { ls -l "/proc/$1/fd" | grep -q "$2"; }
wait_for 2 "a program reads" is_open "$reader" /dev/ttyACM0
echo fix >/dev/ttyGS0
wait_for 2 "bytes come through" text_in /run/heard fix

usb_unplug
has_ended() { ! kill -0 "$1" 2>/dev/null; }
wait_for 2 "the reader has ended" has_ended "$reader"
usb_plug
