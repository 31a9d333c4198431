# A USB receiver appears with its USB numbers and sends bytes to a reader. When the receiver is unplugged, the reader ends. The
# receiver can be plugged in again.

usb_receiver_made
expect_not "an unplugged receiver has no device" test -e /dev/ttyACM0
usb_plug
device=$(readlink -f /sys/class/tty/ttyACM0/device)
expect_equal "the receiver's vendor and product" \
  "$(cat "$device/../idVendor" "$device/../idProduct" | tr '\n' ' ')" "1546 01a8 "
expect_equal "the receiver's driver" "$(basename "$(readlink "$device/driver")")" cdc_acm

stty -F /dev/ttyACM0 raw -echo
cat /dev/ttyACM0 >/run/heard &
reader=$!
is_open() { ls -l "/proc/$1/fd" | grep -q "$2"; }
wait_for 2 "a program has opened the device" is_open "$reader" /dev/ttyACM0
echo fix >/dev/ttyGS0
wait_for 2 "the program gets the receiver's bytes" text_in /run/heard fix

usb_unplug
has_ended() { ! kill -0 "$1" 2>/dev/null; }
wait_for 2 "the reader has ended" has_ended "$reader"
usb_plug
