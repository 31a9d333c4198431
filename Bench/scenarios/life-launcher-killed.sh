# An app outlives the launcher. The next launcher takes it over, frozen or not, and reports its end; a clean stop of the launcher
# leaves nothing frozen. Without a launcher the daemon names the reason.
# bench: limit=150

panel_chip
start_receiver
device_for dialout /dev/ttyS0
install_launched_app tracker ann
run_allowed_app tracker
process=$(process_of tracker)

stop_launcher KILL
more_fixes 20 tracker 3
binnacle start org.example.map >/run/answer 2>&1 && fail "an app was started without a launcher"
start_launcher
wait_for 10 "the launcher takes the app over" daemon_said 'launcher: connected; it runs org.example.tracker'
expect_equal "its process" "$(process_of tracker)" "$process"

binnacle home
wait_for 60 "it is frozen" is_frozen tracker
stop_launcher KILL
expect "it stays frozen" is_frozen tracker
start_launcher
wait_for 10 "the launcher takes it over again" said_times 'launcher: connected; it runs org.example.tracker' 2
expect "it is suspended" app_is tracker state suspended
binnacle home
wait_for 10 "it continues" app_is tracker state foreground
more_fixes 20 tracker 2

binnacle home
wait_for 60 "it is frozen" is_frozen tracker
stop_launcher TERM
expect_not "a clean stop leaves nothing frozen" is_frozen tracker
start_launcher
wait_for 10 "the launcher takes it over again" said_times 'launcher: connected; it runs org.example.tracker' 3
kill -KILL "$process"
wait_for 10 "its end is noticed" app_is tracker state not_running
stop_daemon
