# A USB receiver is unplugged and plugged in again ten times. Each time its positions come back, and while it is away the
# daemon waits for it instead of asking all the time. Read calls and wake-ups are counted, beside a program that does ask.
# bench: limit=120

plug_in() {
  usb_plug
  receiver_at /dev/ttyGS0 /dev/ttyACM0 --path still
  device_for dialout /dev/ttyACM0
}

# The receiver is fed by the plug: it goes with it.
pull_out() {
  usb_unplug
  stop_receiver
}

is_away() { ! status_is receiver.state running; }

usb_receiver_made
plug_in
start_daemon --receiver /dev/ttyACM0
start_watch app
wait_for 30 "the first position" has_fixes app 1

asking_is_seen

for time in 1 2 3 4 5 6 7 8 9 10; do
  pull_out
  wait_for 10 "the daemon has noticed" is_away
  costs 10 "nothing is there" 2 15
  plug_in
  more_fixes 20 app 3
  expect "it was opened once more" status_is receiver.openings $((time + 1))
done
expect_equal "starts of the daemon" "$(daemon_starts)" 1
