# A background activity session outlasts a power cut: the lamp is lit before the app has come back, the app takes its session up in
# the background, and a session that it has ended does not come back after another cut.
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
  wait_for 5 "the lines are claimed" panel_is_claimed
  expect "a person allows the app" binnacle allow org.example.tracker
  start_app tracker --background
  in_front tracker
  more_fixes 60 tracker 2
  sent_away tracker
  more_fixes 30 tracker 12
  wait_for 20 "the session is on the disk" is_kept
  wait_for 20 "what the app keeps is on the disk" status_is defaults.values 2
  power_cut
  ;;
2)
  expect "the session is outstanding" daemon_said 'org.example.tracker: outstanding from before: background activity session'
  wait_for 5 "the lamp is lit before the app has come" led_is INDICATOR 1
  expect "the app is absent" app_is tracker state not_running
  # After RejoinWindow, 10 s, the daemon would launch the app itself: life-story.
  dwell 3
  expect "the lamp is still lit" led_is INDICATOR 1
  start_app tracker --resume
  more_fixes 60 tracker 15
  expect "the app has never been in the foreground" app_is tracker state background
  expect "the lamp was lit first" lit_before_locations tracker 0
  expect "the session is its right" sh -c 'binnacle who --json | grep -q background_session'
  end_app tracker
  wait_for 5 "the lamp is dark" led_is INDICATOR 0
  wait_for 5 "the end of the session is on the disk" is_not_kept
  power_cut
  ;;
esac

wait_for 5 "the lines are claimed" panel_is_claimed
expect_not "no session is outstanding" daemon_said 'outstanding from before: background activity session'
start_app tracker
wait_for 30 "without its session the app gets nothing" last_says tracker insufficientlyInUse
dwell 10
expect_equal "its locations" "$(fixes tracker)" 0
expect_equal "changes of the lamp" "$(lines_in "$lamp_log" .)" 0
end_app tracker
stop_daemon
umount /var/lib/binnacle
expect "the file system is sound" e2fsck -f -n "$disk"
