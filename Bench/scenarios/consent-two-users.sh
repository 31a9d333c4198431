# An app of one user asks, a press of ALLOW answers, and its updates come. The app of another user stays without an answer, and is
# then denied. Both answers outlast the services' switch and a death of the daemon.
# bench: limit=90

panel_chip
log_lamp
start_receiver
device_for dialout /dev/ttyS0
install_app tracker ann
install_app map bob
start_launcher
start_panel
wait_for 5 "the lines are claimed" panel_is_claimed

start_app tracker
start_app map
wait_for 20 "the daemon knows the app of ann" app_is tracker state background
wait_for 20 "the daemon knows the app of bob" app_is map state background
expect_equal "the user of one" "$(binnacle apps --json | row_value tracker user_id)" "$(id -u ann)"
expect_equal "the user of the other" "$(binnacle apps --json | row_value map user_id)" "$(id -u bob)"
dwell 3
expect_equal "requests from the background" "$(binnacle prompts --json | grep -c .)" 0

in_front tracker
wait_for 5 "its request is open" last_says tracker authorizationRequestInProgress
binnacle prompts --json >/run/prompts
expect "the person reads the app's reason" text_in /run/prompts '"id":"org.example.tracker".*Shows where this board is'
wait_for 3 "the indicator flashes" lamp_has_changed 1 0
press ALLOW 0.2
wait_for 5 "the press is its answer" daemon_said 'org.example.tracker: may use your location while it is in use (answered by button)'
more_fixes 60 tracker 3
expect "its answer is kept" answer_is tracker when_in_use
expect "the other app has no answer" answer_is map ''
expect_equal "locations of the other app" "$(fixes map)" 0

app_user eve
run_as eve stranger
wait_for 20 "the same program of a third user is another app" sh -c \
  "binnacle apps --json | grep -q '\"id\":\"$(id -u eve):$live_updates\"'"
dwell 3
expect_equal "its locations" "$(fixes stranger)" 0
kill_app stranger
expect_equal "bob cannot answer for himself" \
  "$(setpriv --reuid=bob --regid=bob --clear-groups binnacle allow org.example.map >/dev/null 2>&1 && echo 0 || echo $?)" 77

setpriv --reuid=bob --regid=bob --clear-groups binnacle grants --json >/run/grants
expect_not "bob does not see the answer about the app of ann" text_in /run/grants tracker

in_front map
wait_for 5 "the other request is open" last_says map authorizationRequestInProgress
press ALLOW 2.6
wait_for 5 "a long press refuses" daemon_said 'org.example.map: may not use your location (answered by button)'
wait_for 5 "the app is told" last_says map authorizationDenied
expect "the first answer is as it was" answer_is tracker when_in_use
expect "the second is its own" answer_is map denied

in_front tracker
more_fixes 20 tracker 2
services off
wait_for 5 "services are off for it" last_says tracker authorizationDeniedGlobally
services on
more_fixes 20 tracker 2

starts=$(daemon_starts)
is_started_again() { [ "$(daemon_starts)" -gt "$starts" ]; }
kill -KILL "$(daemon_pid)"
wait_for 20 "the daemon is started again" is_started_again
in_front tracker
more_fixes 60 tracker 3
expect "the grant holds" answer_is tracker when_in_use
expect "the denial holds" answer_is map denied
expect_equal "locations of the app that is denied" "$(fixes map)" 0
expect_not "the loop of no app has ended" text_in "$said/tracker.errors" 'updates ended'
end_app tracker
end_app map
stop_daemon
