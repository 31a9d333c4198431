# An app in the background gets no location without a session. With a session the lamp is lit before the app's first location. After a kill
# of the daemon the lamp is lit again within 2 s of the daemon's next start, before the app's next location.
# bench: limit=90

panel_chip
log_lamp
start_receiver
device_for dialout /dev/ttyS0
install_app tracker ann
start_launcher
start_panel
wait_for 5 "the daemon has claimed the lines" panel_is_claimed
expect "a person allows the app" binnacle allow org.example.tracker

start_app tracker
in_front tracker
more_fixes 60 tracker 2
expect_equal "changes of the lamp while the app is in the foreground" "$(lines_in "$lamp_log" .)" 0
more_fixes 5 tracker 1
away=$(last_location tracker)
sent_away tracker
wait_for 20 "the app's update has the flag insufficientlyInUse" last_says tracker insufficientlyInUse
expect "the lamp was lit before the app's first background location" lit_before_locations tracker "$away"
wait_for 5 "the lamp is dark" led_is INDICATOR 0
dark=$(last_location tracker)
dwell 10
expect_equal "locations while no session keeps the app in use" "$(locations_between tracker "$dark" '')" 0
expect "'binnacle why' reports the missing session" reason_says tracker use 'no session keeps it in use'
end_app tracker

start_app tracker --background
in_front tracker
more_fixes 60 tracker 2
wait_for 5 "the lamp is dark" led_is INDICATOR 0
more_fixes 5 tracker 1
away=$(last_location tracker)
sent_away tracker
more_fixes 30 tracker 15
expect "the lamp was lit before the app's first background location" lit_before_locations tracker "$away"
expect "the lamp is lit" led_is INDICATOR 1
expect "'binnacle who' names the session as the app's right" sh -c 'binnacle who --json | grep -q background_session'

starts=$(daemon_starts)
is_started_again() { [ "$(daemon_starts)" -gt "$starts" ]; }
more_fixes 5 tracker 1
death=$(last_location tracker)
kill -KILL "$(daemon_pid)"
wait_for 20 "the daemon is started again" is_started_again
start=$(journal_ns started)
wait_for 20 "the lamp is lit again" lamp_has_changed 1 "$death"
lit=$(lamp_changed 1 "$death")
expect "the lamp was dark after the kill of the daemon" lamp_has_changed 0 "$death"
expect_within "milliseconds from the daemon's start to the lit lamp" $(((lit - start) / 1000000)) 0 2000
more_fixes 60 tracker 5
expect_equal "locations from the kill of the daemon to the lit lamp" "$(locations_between tracker "$death" "$lit")" 0
expect "the lamp was lit before the app's next location" lit_before_locations tracker "$death"
expect "the app is in the background" app_is tracker state background
expect_not "the app's update loop continues without an error" text_in "$said/tracker.errors" 'updates ended'
end_app tracker
wait_for 5 "the lamp is dark after the end of the app" led_is INDICATOR 0
stop_daemon
