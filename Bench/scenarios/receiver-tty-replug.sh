# A receiver on a serial line is removed and returned ten times together with the line's device, as when the driver of a UART is
# unloaded. Then its wires are unplugged ten times, which the kernel does not report. Each time the client gets positions again.
# Meanwhile the daemon waits and does not poll. The control of the read calls and wake-ups is a program that polls.
# bench: limit=240

tool perl
start_receiver --path still
device_for dialout /dev/ttyS0
start_daemon --receiver /dev/ttyS0
start_watch app
wait_for 30 "the client has its first position" has_fixes app 1

# The kernel hangs up a line whose device is removed, as TIOCVHANGUP does; the device file is then absent.
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
  wait_for 10 "the daemon notices that the receiver is missing" is_away
  costs 5 "there is no line" 2 10
  line_returned
  more_fixes 20 app 3
  expect "the daemon has opened the device once more" status_is receiver.openings $((time + 1))
done

for time in 1 2 3 4 5 6 7 8 9 10; do
  kill -STOP "$receiver"
  dwell 8
  wait_for 20 "the daemon notices that the receiver is missing" is_away
  costs 5 "no receiver answers" 5 30
  kill -CONT "$receiver"
  more_fixes 40 app 3
done
expect_equal "starts of the daemon" "$(daemon_starts)" 1
