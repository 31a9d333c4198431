# While the daemon has a serial line, no program of an ordinary user can open the line. After the daemon is killed, the next daemon
# opens the line.

start_receiver --path still
device_for dialout /dev/ttyS0
start_daemon --receiver /dev/ttyS0
start_watch app
wait_for 30 "the client has its first position" has_fixes app 1

chmod 666 /dev/ttyS0
opened() {
  setpriv --reuid=65534 --regid=65534 --clear-groups sh -c ': <>/dev/ttyS0' 2>/run/said/other
}
expect_not "no other program can open the line" opened
expect "the kernel's error message reports a busy line" text_in /run/said/other 'busy'

kill -KILL "$(daemon_pid)"
more_fixes 40 app 3
expect_equal "starts of the daemon" "$(daemon_starts)" 2
expect_not "no other program can open the line" opened
