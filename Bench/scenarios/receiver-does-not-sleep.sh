# A receiver that acknowledges the order to sleep and goes on sending is told of, is not ordered for ever, and serves on.

start_receiver --path still --oddities ignores-sleep
device_for dialout /dev/ttyS0
start_restful_daemon
start_watch app
wait_for 20 "the first position" has_fixes app 1
dwell 30
expect_equal "pauses" "$(pauses app)" 1
expect "it is told of" daemon_said 'it was told to sleep and goes on sending'
expect_equal "refusals" "$(power_value sleeps_refused)" 1
expect_equal "the receiver" "$(power_value state)" resting
dwell 60
expect_within "tries in a minute and a half" "$(power_value sleeps)" 2 3
start_watch other
wait_for 3 "a position for the one that comes" has_fixes other 1
stop_watch app
stop_watch other
stop_daemon
