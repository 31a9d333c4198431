# The receiver sleeps while the board rests. A new client gets its position within seconds.

start_receiver --path still
device_for dialout /dev/ttyS0
start_restful_daemon
start_watch app
wait_for 20 "the client has its first position" has_fixes app 1
dwell 22
expect_equal "updates that report rest" "$(pauses app)" 1
expect_equal "the power state of the receiver" "$(power_value state)" asleep
before=$(wc -l <"$said/app")
# The daemon wakes the receiver once, as a test.
dwell 60
expect_equal "updates while the receiver sleeps" "$(($(wc -l <"$said/app") - before))" 0
expect_equal "wake-ups of the receiver" "$(power_value wakes)" 1
expect_equal "the power state of the receiver" "$(power_value state)" asleep
start_watch other
wait_for 6 "a new client gets a position" has_fixes other 1
expect_equal "the reason of the last wake-up" "$(power_value last_wake)" "for a program that began"
stop_watch app
stop_watch other
stop_daemon
