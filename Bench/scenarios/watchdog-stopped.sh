# A daemon that stands still gives no sign of life; whoever watches over it kills it and starts it anew, and programs
# go on without having to do anything.

start_receiver
device_for dialout /dev/ttyS0
start_daemon --receiver /dev/ttyS0
first=$(daemon_pid)
start_watch app
wait_for 30 "the first position" has_fixes app 1
signs() { lines_in "$service_journal" ' alive '; }
before=$(signs)
dwell 70
watchdog=$(unit_value WatchdogSec)
expect_within "signs of life in 70 s" $(($(signs) - before)) $((70 / watchdog)) $((6 * 70 / watchdog))
expect_equal "starts so far" "$(daemon_starts)" 1

kill -STOP "$first"
is_late() { text_in "$service_journal" " late $first"; }
wait_for $((watchdog + 5)) "its silence is noticed" is_late
is_another() { [ "$(daemon_starts)" = 2 ] && [ "$(lines_in "$service_journal" ' ready ')" = 2 ]; }
wait_for 20 "another one is ready" is_another
expect_not "the first one is gone" test -e "/proc/$first"
more_fixes 40 app 5
