# What an accelerometer costs: at 50 Hz by bursts at most 5 wakeups a second, at rest at most 2 a minute; each counted
# against the same daemon without one.
# bench: limit=60

null_modem
device_for dialout /dev/ttyS0
accelerometers lis3dh=0x18

# turns SECONDS: how often the daemon's loop wakes in that time; asking is two of them.
turns() {
  first=$(status_value daemon.turns)
  switches=$(all_switches "$(daemon_pid)")
  dwell "$1"
  switches=$(($(all_switches "$(daemon_pid)") - switches))
  turned=$(($(status_value daemon.turns) - first))
}

accelerometer_profile Chip=none
start_daemon_with_accelerometer --receiver /dev/nobody
dwell 130
turns 120
alone=$turned
alone_switches=$switches
start_watch app
dwell 5
turns 60
watched=$turned
watched_switches=$switches
stop_watch app
stop_daemon
: >"$service_journal"

accelerometer_profile
start_daemon_with_accelerometer --receiver /dev/nobody
wait_for 10 "it rests" accelerometer_is working
dwell 130
turns 120
expect_within "wakeups at rest in 2 minutes" $((turned - alone)) 0 4
say "switches of all threads at rest in 2 minutes: $((switches - alone_switches))"
start_watch app
wait_for 10 "it streams" status_is accelerometer.reading "bursts of its FIFO"
dwell 5
turns 60
expect_within "wakeups for 50 Hz in a minute" $((turned - watched)) 60 300
say "switches of all threads for 50 Hz in a minute: $((switches - watched_switches))"
stop_watch app
stop_daemon
