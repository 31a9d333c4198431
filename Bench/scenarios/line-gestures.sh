# The daemon distinguishes short, long and double presses of a button by the kernel's time stamps. It ignores a press between short and
# long.

panel_chip
start_panel
wait_for 5 "the daemon has claimed the lines" panel_is_claimed
say "the daemon uses libgpiod $(status_value daemon.libgpiod)"

press HOME 0.3
wait_for 5 "the daemon's log has a short press of HOME" daemon_said 'HOME: short press'
press HOME 0.1
dwell 0.15
press HOME 0.1
wait_for 5 "the daemon's log has a double press of HOME" daemon_said 'HOME: double press'
dwell 0.5

button_down HOME
wait_for 5 "the daemon's log has a long press while HOME is held" daemon_said 'HOME: long press'
button_up HOME
# A release that is shorter than the debounce time does not count as a release.
dwell 0.2
press HOME 1.22
wait_for 5 "the daemon ignores a press of HOME between short and long" daemon_said 'HOME: held for 12.. ms, neither short nor long'
press ALLOW 0.2
wait_for 5 "the daemon's log has a short press of ALLOW" daemon_said 'ALLOW: short press'

for gesture in short:1 double:1 long:1 ignored:1; do
  expect_equal "${gesture%:*} presses of HOME" "$(status_value "buttons.HOME.${gesture%:*}")" "${gesture#*:}"
done
expect_equal "the last gesture of HOME" "$(status_value buttons.HOME.last_gesture)" long
expect_equal "long presses of ALLOW" "$(status_value buttons.ALLOW.long)" 0
stop_daemon
