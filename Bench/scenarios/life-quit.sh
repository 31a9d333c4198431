# An app without a session is told that it is not in use, then frozen whole, and costs nothing; a person brings it back, and closes it
# by holding HOME. Nothing launches it afterwards.
# bench: limit=150

panel_chip
log_lamp
start_receiver
device_for dialout /dev/ttyS0
install_launched_app tracker ann
# A second process of the app, which counts.
sed -i "2i (while :; do echo; sleep 0.2; done) >>$said/tracker.count \&" /usr/lib/tracker/tracker
: >"$said/tracker.count"
chown ann "$said/tracker.count"
run_allowed_app tracker
press HOME 0.2
wait_for 20 "it is told that it is not in use" last_says tracker insufficientlyInUse
expect_not "it is not frozen yet" is_frozen tracker
wait_for 30 "it is frozen" is_frozen tracker
expect "it is suspended" app_is tracker state suspended
expect "its last update gives the reason" last_says tracker insufficientlyInUse

cpu=$(cpu_ns tracker)
lines=$(fixes tracker)
counted=$(lines_in "$said/tracker.count" '')
# GraceBeforeOff passes, and the receiver sleeps.
dwell 90
costs 60 "an app is suspended" 20 40
expect_equal "its processor time in the meantime" "$(cpu_ns tracker)" "$cpu"
expect_equal "its locations in the meantime" "$(fixes tracker)" "$lines"
expect_equal "what its second process has counted" "$(lines_in "$said/tracker.count" '')" "$counted"
is_kept_back() { [ "$(fixes tracker)" -gt "$lines" ]; }

frozen=$(clock_ns)
press HOME 0.2
wait_for 5 "HOME brings it back" app_is tracker state foreground
wait_for 10 "its updates go on" is_kept_back
expect_equal "locations from the time of its suspension" "$(locations_between tracker 0 "$frozen")" "$lines"

launches=$(launches tracker)
press HOME 2.5
wait_for 10 "holding HOME closes it" app_is tracker state not_running
dwell 20
expect_equal "launches since then" $(($(launches tracker) - launches)) 0
expect "the daemon said so" daemon_said 'org.example.tracker: closed by a person'
stop_daemon
