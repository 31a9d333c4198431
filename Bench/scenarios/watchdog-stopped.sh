# A daemon that hangs sends no watchdog signal. The service manager kills and restarts the daemon, and clients reconnect. Without
# clients and frequent wake-ups the daemon sends fewer signals, so the service manager waits longer.

start_receiver
device_for dialout /dev/ttyS0
start_daemon --receiver /dev/ttyS0
watchdog=$(unit_value WatchdogSec)
signs() { lines_in "$service_journal" ' alive '; }
# missed_within SECONDS: the service manager notices a stopped daemon within this time, and starts the next daemon.
missed_within() {
  process=$(daemon_pid)
  starts=$(daemon_starts)
  kill -STOP "$process"
  is_late() { text_in "$service_journal" " late $process"; }
  wait_for "$1" "the service manager notices the missing watchdog signal" is_late
  is_another() { [ "$(daemon_starts)" = $((starts + 1)) ] && [ "$(lines_in "$service_journal" ' ready ')" = $((starts + 1)) ]; }
  wait_for 20 "the next daemon is ready" is_another
  expect_not "the stopped daemon has ended" test -e "/proc/$process"
}

dwell 120
expect_equal "watchdog period without other wake-ups, in seconds" "$(patience)" $((10 * watchdog))
before=$(signs)
dwell 1200
expect_within "watchdog signals in 20 minutes" $(($(signs) - before)) $((120 / watchdog)) $((480 / watchdog))
missed_within $((10 * watchdog + 5))

start_watch app
wait_for 30 "the client has its first position" has_fixes app 1
expect_equal "watchdog period while a client gets positions, in seconds" "$(patience)" "$watchdog"
before=$(signs)
dwell 70
expect_within "watchdog signals in 70 s" $(($(signs) - before)) $((70 / watchdog)) $((6 * 70 / watchdog))
missed_within $((watchdog + 5))
more_fixes 40 app 5
