# An app of delegate methods, as for iOS, records in the background with allowsBackgroundLocationUpdates and no session object. After a
# kill of the daemon the same process gets locations again, with the same right, after the lamp is lit. The next process of the app does
# not take the updates up: it gets no location in the background.
# bench: limit=120

panel_chip
log_lamp
start_receiver
device_for dialout /dev/ttyS0
app_user ann
delegate_updates=/usr/bin/DelegateUpdates
install -m 755 "$BENCH_HOME/../.build/release/DelegateUpdates" $delegate_updates
app_manifest recorder ann $delegate_updates
start_launcher
start_panel
wait_for 5 "the daemon has claimed the lines" panel_is_claimed
expect "a person allows the app" binnacle allow org.example.recorder

mkfifo /run/recorder.lines
start_recorder() {
  python3 "$BENCH_HOME/lib/recorder.py" </run/recorder.lines >>"$said/recorder" &
  setpriv --reuid=ann --regid=ann --clear-groups $delegate_updates --background >/run/recorder.lines 2>>"$said/recorder.errors" &
  app_recorder=$!
}
has_classic_right() { binnacle who --json | grep -q '"id":"org.example.recorder".*"right":"classic"'; }
failures() { lines_in "$said/recorder" 'failed\|stopped\|denied'; }

start_recorder
in_front recorder
more_fixes 60 recorder 3
expect_equal "changes of the lamp while the app is in the foreground" "$(lines_in "$lamp_log" .)" 0
more_fixes 5 recorder 1
away=$(last_location recorder)
sent_away recorder
more_fixes 30 recorder 12
expect "the lamp was lit before the app's first background location" lit_before_locations recorder "$away"
expect "'binnacle who' names the app's right" has_classic_right

kill_daemon() {
  starts=$(daemon_starts)
  more_fixes 5 recorder 1
  death=$(last_location recorder)
  kill -KILL "$(daemon_pid)"
  wait_for 20 "the daemon is started again" is_started_again
}
is_started_again() { [ "$(daemon_starts)" -gt "$starts" ]; }
kill_daemon
wait_for 20 "the lamp is lit again" lamp_has_changed 1 "$death"
lit=$(lamp_changed 1 "$death")
expect "the lamp was dark after the kill of the daemon" lamp_has_changed 0 "$death"
expect_within "milliseconds from the daemon's start to the lit lamp" $(((lit - $(journal_ns started)) / 1000000)) 0 2000
more_fixes 60 recorder 12
expect_equal "locations from the kill of the daemon to the lit lamp" "$(locations_between recorder "$death" "$lit")" 0
expect "the lamp was lit before the app's next location" lit_before_locations recorder "$death"
expect "'binnacle who' names the same right" has_classic_right
expect "the app is in the background" app_is recorder state background
expect_equal "errors that the delegate received" "$(failures)" 0
dwell 12
more_fixes 5 recorder 2
expect "the right has not lapsed after RejoinWindow" has_classic_right

more_fixes 5 recorder 1
ended=$(last_location recorder)
end_app recorder
# The log of the lamp may be later than the line itself.
wait_for 5 "the lamp is dark after the end of the app" lamp_has_changed 0 "$ended"
ended=$(last_location recorder)
changes=$(lines_in "$lamp_log" .)
start_recorder
wait_for 20 "the app's next process is in the background" app_is recorder state background
dwell 10
expect_equal "locations of the next process in the background" "$(locations_between recorder "$ended" '')" 0
expect_equal "changes of the lamp for the next process" $(($(lines_in "$lamp_log" .) - changes)) 0
in_front recorder
more_fixes 20 recorder 2
end_app recorder
stop_daemon
