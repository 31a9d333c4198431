# In the background an app gets nothing without a session. With a session the lamp is lit before the app's first location, and
# again after a death of the daemon, within 2 s of its next start.
# bench: limit=90

panel_chip
log_lamp
start_receiver
device_for dialout /dev/ttyS0
install_app tracker ann
start_launcher
start_panel
wait_for 5 "the lines are claimed" panel_is_claimed
expect "a person allows the app" binnacle allow org.example.tracker

start_app tracker
in_front tracker
more_fixes 60 tracker 2
expect_equal "changes of the lamp in the foreground" "$(lines_in "$lamp_log" .)" 0
more_fixes 5 tracker 1
away=$(last_location tracker)
sent_away tracker
wait_for 20 "without a session it is not in use" last_says tracker insufficientlyInUse
expect "in the moment before, the lamp was lit first" lit_before_locations tracker "$away"
wait_for 5 "the lamp is dark" led_is INDICATOR 0
dark=$(last_location tracker)
dwell 10
expect_equal "locations since then" "$(locations_between tracker "$dark" '')" 0
expect "why names it" reason_says tracker use 'no session keeps it in use'
end_app tracker

start_app tracker --background
in_front tracker
more_fixes 60 tracker 2
wait_for 5 "the lamp is dark" led_is INDICATOR 0
more_fixes 5 tracker 1
away=$(last_location tracker)
sent_away tracker
more_fixes 30 tracker 15
expect "the lamp was lit first" lit_before_locations tracker "$away"
expect "the lamp is lit" led_is INDICATOR 1
expect "the session is its right" sh -c 'binnacle who --json | grep -q background_session'

starts=$(daemon_starts)
is_started_again() { [ "$(daemon_starts)" -gt "$starts" ]; }
more_fixes 5 tracker 1
death=$(last_location tracker)
kill -KILL "$(daemon_pid)"
wait_for 20 "the daemon is started again" is_started_again
start=$(journal_ns started)
wait_for 20 "the lamp is lit again" lamp_has_changed 1 "$death"
lit=$(lamp_changed 1 "$death")
expect "the lamp was dark meanwhile" lamp_has_changed 0 "$death"
expect_within "milliseconds from the daemon's start to the lamp" $(((lit - start) / 1000000)) 0 2000
more_fixes 60 tracker 5
expect_equal "locations between the daemon's death and the lamp" "$(locations_between tracker "$death" "$lit")" 0
expect "the lamp was lit first" lit_before_locations tracker "$death"
expect "the app is in the background" app_is tracker state background
expect_not "the app's loop goes on without an error" text_in "$said/tracker.errors" 'updates ended'
end_app tracker
wait_for 5 "without the session the lamp is dark" led_is INDICATOR 0
stop_daemon
