# A receiver on a serial line is unplugged and plugged in again ten times, the line with it (as when a UART's driver goes
# away), and ten times its wires alone, which no kernel tells of. Each time its positions come back, and while it is away the
# daemon waits instead of asking all the time. Read calls and wake-ups are counted, beside a program that does ask.
# bench: limit=240

tool perl
start_receiver --path still
device_for dialout /dev/ttyS0
start_daemon --receiver /dev/ttyS0
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

asking_is_seen

for time in 1 2 3 4 5 6 7 8 9 10; do
  line_taken
  wait_for 10 "the daemon has noticed" is_away
  costs 5 "there is no line" 2 10
  line_returned
  more_fixes 20 app 3
  expect "it was opened once more" status_is receiver.openings $((time + 1))
done

for time in 1 2 3 4 5 6 7 8 9 10; do
  kill -STOP "$receiver"
  dwell 8
  wait_for 20 "the daemon has noticed" is_away
  costs 5 "no receiver answers" 5 30
  kill -CONT "$receiver"
  more_fixes 40 app 3
done
expect_equal "starts of the daemon" "$(daemon_starts)" 1
