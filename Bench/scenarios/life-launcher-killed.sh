# An app continues when the launcher is killed. The next launcher takes over the app, frozen or not, and reports the app's end. A clean stop
# of the launcher leaves no app frozen. Without a launcher no app can be started.
# bench: limit=150

panel_chip
start_receiver
device_for dialout /dev/ttyS0
install_launched_app tracker ann
install_launched_app map bob
run_allowed_app tracker
process=$(process_of tracker)

stop_launcher KILL
more_fixes 20 tracker 3
expect_not "no app starts without a launcher" sh -c 'binnacle start org.example.map >/run/answer 2>&1'
expect "the answer reports that no launcher is connected" text_in /run/answer 'no launcher is connected'
start_launcher
wait_for 10 "the next launcher has taken over the app" daemon_said 'launcher: connected; it runs org.example.tracker'
expect_equal "the app's process after the takeover" "$(process_of tracker)" "$process"
expect "the app that was refused can be started" binnacle start org.example.map
binnacle quit org.example.map
binnacle foreground org.example.tracker

binnacle home
wait_for 60 "the app is frozen" is_frozen tracker
stop_launcher KILL
expect "the app stays frozen without the launcher" is_frozen tracker
start_launcher
wait_for 10 "the next launcher has taken over the frozen app" said_times 'launcher: connected; it runs org.example.tracker' 2
expect "the app's state is suspended" app_is tracker state suspended
binnacle home
wait_for 10 "the app is in the foreground again" app_is tracker state foreground
more_fixes 20 tracker 2

binnacle home
wait_for 60 "the app is frozen again" is_frozen tracker
stop_launcher TERM
expect_not "the app is not frozen after a clean stop of the launcher" is_frozen tracker
start_launcher
wait_for 10 "the next launcher has taken over the thawed app" said_times 'launcher: connected; it runs org.example.tracker' 3
kill -KILL "$process"
wait_for 10 "the daemon reports that the app does not run" app_is tracker state not_running
stop_daemon
