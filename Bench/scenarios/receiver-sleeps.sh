# A receiver falls silent while the board rests, and a program that comes has its position in seconds.

start_receiver --path still
device_for dialout /dev/ttyS0
start_restful_daemon
start_watch app
wait_for 20 "the first position" has_fixes app 1
dwell 22
expect_equal "pauses" "$(pauses app)" 1
expect_equal "the receiver" "$(power_value state)" asleep
before=$(wc -l <"$said/app")
# It is woken once, to prove that it wakes.
dwell 60
expect_equal "updates while it sleeps" "$(($(wc -l <"$said/app") - before))" 0
expect_equal "wakes" "$(power_value wakes)" 1
expect_equal "the receiver" "$(power_value state)" asleep
start_watch other
wait_for 6 "a position for the one that comes" has_fixes other 1
expect_equal "woken" "$(power_value last_wake)" "for a program that began"
stop_watch app
stop_watch other
stop_daemon
