# A receiver on a serial line is unplugged and plugged in again ten times, the line with it (as when a UART's driver goes
# away), and ten times its wires alone, which no kernel tells of. Each time its positions come back, and while it is away the
# daemon waits instead of asking all the time. Read calls and wake-ups are counted, beside a program that does ask.
# bench: limit=240

tool perl
start_receiver --path still
device_for dialout /dev/ttyS0
start_daemon --receiver /dev/ttyS0
daemon=$(daemon_pid)
start_watch app
wait_for 30 "the first position" has_fixes app 1

# TIOCVHANGUP is what the kernel does with a line whose device goes away; then there is no file of that name.
line_taken() {
  perl -e 'open(my $line, "+<", "/dev/ttyS0") or die; ioctl($line, 0x5437, 0) or die'
  mv /dev/ttyS0 /dev/ttyS0.away
}
line_returned() {
  mv /dev/ttyS0.away /dev/ttyS0
  stty -F /dev/ttyS0 raw -echo
}

is_away() { ! status_is receiver.state running; }

# costs TEXT READS SWITCHES: what 5 s of absence may cost.
costs() {
  reads=$(read_calls "$daemon")
  switches=$(all_switches "$daemon")
  dwell 5
  expect_within "its reads while $1" $(($(read_calls "$daemon") - reads)) 0 "$2"
  expect_within "its wake-ups" $(($(all_switches "$daemon") - switches)) 0 "$3"
}

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
  line_taken
  wait_for 10 "the daemon has noticed" is_away
  costs "there is no line" 2 10
  line_returned
  more_fixes 20 app 3
  expect "it was opened once more" status_is receiver.openings $((time + 1))
done

for time in 1 2 3 4 5 6 7 8 9 10; do
  kill -STOP "$receiver"
  dwell 8
  wait_for 20 "the daemon has noticed" is_away
  costs "nobody answers" 5 30
  kill -CONT "$receiver"
  more_fixes 40 app 3
done
expect_equal "starts of the daemon" "$(daemon_starts)" 1
