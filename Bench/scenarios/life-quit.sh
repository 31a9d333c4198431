# An app without a session gets an update with the flag insufficientlyInUse. Then all its processes are frozen and use no processor time. A
# person brings the app back, and closes it by holding HOME. The daemon does not launch the closed app.
# bench: limit=150

panel_chip
log_lamp
start_receiver
device_for dialout /dev/ttyS0
install_launched_app tracker ann
# The app has a second process, which counts.
sed -i "2i (while :; do echo; sleep 0.2; done) >>$said/tracker.count \&" /usr/lib/tracker/tracker
: >"$said/tracker.count"
chown ann "$said/tracker.count"
run_allowed_app tracker
press HOME 0.2
wait_for 20 "the app's update has the flag insufficientlyInUse" last_says tracker insufficientlyInUse
expect_not "the app is not frozen yet" is_frozen tracker
wait_for 30 "the app is frozen" is_frozen tracker
expect "the app's state is suspended" app_is tracker state suspended
expect "the last update of the frozen app has insufficientlyInUse" last_says tracker insufficientlyInUse

cpu=$(cpu_ns tracker)
lines=$(fixes tracker)
counted=$(lines_in "$said/tracker.count" '')
# A minute without clients passes (PowerSettings.graceBeforeOff), and the receiver sleeps.
dwell 90
costs 60 "an app is suspended" 20 40
expect_equal "processor time of the suspended app, in ns, unchanged" "$(cpu_ns tracker)" "$cpu"
expect_equal "locations of the suspended app, unchanged" "$(fixes tracker)" "$lines"
expect_equal "count of the app's second process, unchanged" "$(lines_in "$said/tracker.count" '')" "$counted"
is_kept_back() { [ "$(fixes tracker)" -gt "$lines" ]; }

frozen=$(clock_ns)
press HOME 0.2
wait_for 5 "HOME brings the app to the foreground" app_is tracker state foreground
wait_for 10 "the app gets more locations" is_kept_back
expect_equal "locations that the app received before HOME was pressed again" "$(locations_between tracker 0 "$frozen")" "$lines"

launches=$(launches tracker)
press HOME 2.5
wait_for 10 "a long press of HOME closes the app" app_is tracker state not_running
dwell 20
expect_equal "launches of the closed app" $(($(launches tracker) - launches)) 0
expect "the daemon's log reports that a person closed the app" daemon_said 'org.example.tracker: closed by a person'
stop_daemon
