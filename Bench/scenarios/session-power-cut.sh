# A background activity session survives a power cut. The lamp is lit before the app connects again, and the app resumes its session
# in the background. A session that the app has ended is absent after the next power cut.
# bench: disk=32M limit=120

disk_mounted /var/lib/binnacle
panel_chip
log_lamp
start_receiver
device_for dialout /dev/ttyS0
install_app tracker ann
start_launcher
start_panel
is_kept() { binnacle state | grep -q 'background activity session'; }
is_not_kept() { ! is_kept; }

case $BENCH_BOOT in
1)
  wait_for 5 "the daemon has claimed the lines" panel_is_claimed
  expect "a person allows the app" binnacle allow org.example.tracker
  start_app tracker --background
  in_front tracker
  more_fixes 60 tracker 2
  sent_away tracker
  more_fixes 30 tracker 12
  wait_for 20 "the session is on the disk" is_kept
  wait_for 20 "the daemon has stored two defaults of the app" status_is defaults.values 2
  power_cut
  ;;
2)
  expect "the log reports the outstanding session" daemon_said 'org.example.tracker: outstanding from before: background activity session'
  wait_for 5 "the lamp is lit before the app starts" led_is INDICATOR 1
  expect "the app does not run" app_is tracker state not_running
  # After RejoinWindow, 10 s, the daemon would launch the app itself; the scenario life-story tests this.
  dwell 3
  expect "the lamp is still lit" led_is INDICATOR 1
  start_app tracker --resume
  more_fixes 60 tracker 15
  expect "the app is in the background" app_is tracker state background
  expect "the lamp was lit before the app's first location" lit_before_locations tracker 0
  expect "'binnacle who' names the session as the app's right" sh -c 'binnacle who --json | grep -q background_session'
  end_app tracker
  wait_for 5 "the lamp is dark" led_is INDICATOR 0
  wait_for 5 "the end of the session is on the disk" is_not_kept
  power_cut
  ;;
esac

wait_for 5 "the daemon has claimed the lines" panel_is_claimed
expect_not "the daemon's log has no outstanding session" daemon_said 'outstanding from before: background activity session'
start_app tracker
wait_for 30 "the app's update has the flag insufficientlyInUse" last_says tracker insufficientlyInUse
dwell 10
expect_equal "locations of the app" "$(fixes tracker)" 0
expect_equal "changes of the lamp" "$(lines_in "$lamp_log" .)" 0
end_app tracker
stop_daemon
umount /var/lib/binnacle
expect "e2fsck finds no errors in the file system" e2fsck -f -n "$disk"
