# An app of one user requests an authorization, a press of ALLOW grants it, and the app gets locations. The app of another user has no
# answer at first, and is then denied. Both answers survive when location services are turned off and on, and when the daemon is killed.
# bench: limit=90

panel_chip
log_lamp
start_receiver
device_for dialout /dev/ttyS0
install_app tracker ann
install_app map bob
start_launcher
start_panel
wait_for 5 "the daemon has claimed the lines" panel_is_claimed

start_app tracker
start_app map
wait_for 20 "the daemon knows the app of ann" app_is tracker state background
wait_for 20 "the daemon knows the app of bob" app_is map state background
expect_equal "the user of ann's app" "$(binnacle apps --json | row_value tracker user_id)" "$(id -u ann)"
expect_equal "the user of bob's app" "$(binnacle apps --json | row_value map user_id)" "$(id -u bob)"
dwell 3
expect_equal "prompts while both apps are in the background" "$(binnacle prompts --json | grep -c .)" 0

in_front tracker
wait_for 5 "the update of ann's app reports the open request" last_says tracker authorizationRequestInProgress
binnacle prompts --json >/run/prompts
expect "the prompt has the usage description of ann's app" text_in /run/prompts '"id":"org.example.tracker".*Shows where this board is'
wait_for 3 "the indicator's lamp goes on" lamp_has_changed 1 0
press ALLOW 0.2
wait_for 5 "the daemon's log has the grant by the button" \
  daemon_said 'org.example.tracker: may use your location while it is in use (answered by button)'
more_fixes 60 tracker 3
expect "the authorization of ann's app is when_in_use" answer_is tracker when_in_use
expect "bob's app has no answer" answer_is map ''
expect_equal "locations of bob's app without an answer" "$(fixes map)" 0

app_user eve
run_as eve stranger
wait_for 20 "the same program of a third user is another app" sh -c \
  "binnacle apps --json | grep -q '\"id\":\"$(id -u eve):$live_updates\"'"
dwell 3
expect_equal "locations of the third user's app" "$(fixes stranger)" 0
kill_app stranger
expect_equal "exit status when bob tries to allow his own app" \
  "$(setpriv --reuid=bob --regid=bob --clear-groups binnacle allow org.example.map >/dev/null 2>&1 && echo 0 || echo $?)" 77

setpriv --reuid=bob --regid=bob --clear-groups binnacle grants --json >/run/grants
expect_not "bob does not see the answer about the app of ann" text_in /run/grants tracker

in_front map
wait_for 5 "the update of bob's app reports the open request" last_says map authorizationRequestInProgress
press ALLOW 2.6
wait_for 5 "the daemon's log has the denial by a long press" daemon_said 'org.example.map: may not use your location (answered by button)'
wait_for 5 "the update of bob's app reports the denial" last_says map authorizationDenied
expect "the authorization of ann's app is still when_in_use" answer_is tracker when_in_use
expect "the authorization of bob's app is denied" answer_is map denied

in_front tracker
more_fixes 20 tracker 2
services off
wait_for 5 "the update of ann's app reports that location services are off" last_says tracker authorizationDeniedGlobally
services on
more_fixes 20 tracker 2

starts=$(daemon_starts)
is_started_again() { [ "$(daemon_starts)" -gt "$starts" ]; }
kill -KILL "$(daemon_pid)"
wait_for 20 "the daemon is started again" is_started_again
in_front tracker
more_fixes 60 tracker 3
expect "the grant of ann's app survives the kill of the daemon" answer_is tracker when_in_use
expect "the denial of bob's app survives the kill of the daemon" answer_is map denied
expect_equal "locations of bob's app after its denial" "$(fixes map)" 0
for app in tracker map; do
  expect_not "the update loop of the app $app has not ended" text_in "$said/$app.errors" 'updates ended'
done
end_app tracker
end_app map
stop_daemon
