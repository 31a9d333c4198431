# The whole life of an app that tracks in the background. A person starts the app, a button allows it, and HOME sends it to the background.
# The daemon launches the app again after a kill of the app and after a power cut. The app continues when the daemon or the launcher is
# killed. The lamp is lit while the app may get locations in the background, and dark after a person has closed the app.
# bench: disk=32M limit=240

disk_mounted /var/lib/binnacle
panel_chip
log_lamp
start_receiver
device_for dialout /dev/ttyS0
install_launched_app tracker ann --background
start_launcher
start_panel
is_kept() { binnacle state | grep -q 'background activity session'; }
has_pid() { [ "$(process_of tracker)" != "$1" ] && [ -n "$(process_of tracker)" ]; }

case $BENCH_BOOT in
1)
  wait_for 5 "the daemon has claimed the lines" panel_is_claimed
  started tracker
  wait_for 10 "the app's update reports the open request" last_says tracker authorizationRequestInProgress
  expect_equal "the user of the app's process" "$(stat -c %U "/proc/$(process_of tracker)")" ann
  # The launcher has four ambient capabilities. The kernel keeps them when a process changes from one ordinary user to another.
  has_capability() { grep -q -E '^Cap(Inh|Prm|Eff|Amb):.*[1-9a-f]' "/proc/$1/status"; }
  expect "the launcher has capabilities" has_capability "$launcher"
  expect_not "the app has no capabilities" has_capability "$(process_of tracker)"
  expect "the daemon manages the app" app_is tracker managed true
  press ALLOW 0.2
  more_fixes 60 tracker 3
  expect "the app is in the foreground" app_is tracker state foreground
  # HOME acts when it is released. No location of the foreground may come during the press.
  more_fixes 5 tracker 1
  away=$(last_location tracker)
  press HOME 0.2
  wait_for 5 "HOME sends the app to the background" app_is tracker state background
  more_fixes 20 tracker 12
  expect "the lamp was lit before the app's first background location" lit_before_locations tracker "$away"
  expect "the lamp is lit" led_is INDICATOR 1

  changes=$(lines_in "$lamp_log" .)
  process=$(process_of tracker)
  before=$(last_location tracker)
  kill -KILL "$process"
  killed=$(clock_ns)
  wait_for 20 "the app is launched again" has_pid "$process"
  more_fixes 20 tracker 5
  expect_equal "the reason of the launch" "$(tail -n 1 "$said/tracker.launches")" location
  first=$(first_location tracker "$killed")
  expect_within "milliseconds from the kill to the app's next location" $(((first - killed) / 1000000)) 0 3000
  expect "the app is still in the background" app_is tracker state background
  expect "'binnacle who' names the session as the app's right" sh -c 'binnacle who --json | grep -q background_session'
  dwell 15
  expect "the app's session has not lapsed" app_is tracker background_session true
  expect_equal "changes of the lamp since the kill" $(($(lines_in "$lamp_log" .) - changes)) 0

  starts=$(daemon_starts)
  launches=$(launches tracker)
  is_started_again() { [ "$(daemon_starts)" -gt "$starts" ]; }
  kill -KILL "$(daemon_pid)"
  wait_for 20 "the daemon is started again" is_started_again
  more_fixes 60 tracker 5
  dwell 12
  expect_equal "launches of the app after the kill of the daemon" $(($(launches tracker) - launches)) 0
  expect "the lamp is lit again" led_is INDICATOR 1
  expect "the restarted daemon manages the app" app_is tracker managed true

  stop_launcher KILL
  more_fixes 20 tracker 3
  start_launcher
  wait_for 10 "the next launcher has taken over the app" daemon_said 'launcher: connected; it runs org.example.tracker'
  more_fixes 20 tracker 3
  process=$(process_of tracker)
  kill -KILL "$process"
  wait_for 20 "the next launcher has launched the app again" has_pid "$process"
  more_fixes 20 tracker 3
  wait_for 20 "the session is on the disk" is_kept
  wait_for 20 "the daemon has stored two defaults of the app" status_is defaults.values 2
  power_cut
  ;;
esac

wait_for 20 "the app is launched after the power cut" was_launched tracker 1
expect_equal "the reason of the launch" "$(head -n 1 "$said/tracker.launches")" location
more_fixes 60 tracker 10
expect "the app is in the background after the power cut" app_is tracker state background
expect "the lamp was lit before the app's first location" lit_before_locations tracker 0
dwell 12
expect "the app's session has not lapsed" app_is tracker background_session true
expect "the lamp is lit" led_is INDICATOR 1
expect "a person closes the app" binnacle quit org.example.tracker
wait_for 8 "the app has ended" app_is tracker state not_running
wait_for 5 "the lamp is dark" led_is INDICATOR 0
launches=$(launches tracker)
dwell 30
expect_equal "launches after a person has closed the app" $(($(launches tracker) - launches)) 0
expect "'binnacle why' reports that a person closed the app" reason_says tracker process 'closed by a person'
stop_daemon
umount /var/lib/binnacle
expect "e2fsck finds no errors in the file system" e2fsck -f -n "$disk"
