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
daemon=$(daemon_pid)
start_watch app
wait_for 30 "the first position" has_fixes app 1

# The control: what ten times a second would look like.
(while :; do read -r line </proc/uptime; sleep 0.1; done) &
control=$!
reads=$(read_calls "$control")
switches=$(voluntary_switches "$control")
dwell 10
expect "somebody who keeps asking is seen by his reads" test $(($(read_calls "$control") - reads)) -gt 90
expect "and by his wake-ups" test $(($(voluntary_switches "$control") - switches)) -gt 90
kill "$control"

for time in 1 2 3 4 5 6 7 8 9 10; do
  pull_out
  wait_for 10 "the daemon has noticed" is_away
  reads=$(read_calls "$daemon")
  switches=$(voluntary_switches "$daemon")
  dwell 10
  expect_within "its reads while nothing is there" $(($(read_calls "$daemon") - reads)) 0 2
  expect_within "its wake-ups" $(($(voluntary_switches "$daemon") - switches)) 0 15
  plug_in
  more_fixes 20 app 3
  expect "it was opened once more" status_is receiver.openings $((time + 1))
done
expect_equal "starts of the daemon" "$(daemon_starts)" 1
