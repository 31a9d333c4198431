# A receiver acknowledges the sleep command but does not stop sending. The daemon reports this and sends the command only a few times.
# Clients still get positions.

start_receiver --path still --oddities ignores-sleep
device_for dialout /dev/ttyS0
start_restful_daemon
start_watch app
wait_for 20 "the client has its first position" has_fixes app 1
dwell 30
expect_equal "updates that report rest" "$(pauses app)" 1
expect "the daemon's log reports that the receiver does not sleep" daemon_said 'it was ordered to sleep, but continues to send'
expect_equal "sleep commands without effect" "$(power_value sleeps_refused)" 1
expect_equal "the power state of the receiver" "$(power_value state)" resting
dwell 60
expect_within "sleep commands in 90 s" "$(power_value sleeps)" 2 3
start_watch other
wait_for 3 "a new client gets a position" has_fixes other 1
stop_watch app
stop_watch other
stop_daemon
