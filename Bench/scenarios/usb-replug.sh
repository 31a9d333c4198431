# A USB receiver is unplugged and plugged in again ten times. Each time the client gets positions again. Without the receiver the
# daemon waits and does not poll. The control of the read calls and wake-ups is a program that polls.
# bench: limit=120

plug_in() {
  usb_plug
  receiver_at /dev/ttyGS0 /dev/ttyACM0 --path still
  device_for dialout /dev/ttyACM0
}

# The receiver has its power from USB, so it stops when it is unplugged.
pull_out() {
  usb_unplug
  stop_receiver
}

is_away() { ! status_is receiver.state running; }

usb_receiver_made
plug_in
start_daemon --receiver /dev/ttyACM0
start_watch app
wait_for 30 "the client has its first position" has_fixes app 1

asking_is_seen

for time in 1 2 3 4 5 6 7 8 9 10; do
  pull_out
  wait_for 10 "the daemon notices that the receiver is missing" is_away
  costs 10 "no receiver is plugged in" 2 15
  plug_in
  more_fixes 20 app 3
  expect "the daemon has opened the device once more" status_is receiver.openings $((time + 1))
done
expect_equal "starts of the daemon" "$(daemon_starts)" 1
