# A button's presses are short, long and double ones by the kernel's own time stamps; what is between is ignored.

panel_chip
start_panel
wait_for 5 "the lines are claimed" panel_is_claimed
say "by libgpiod $(status_value daemon.libgpiod)"

press HOME 0.3
wait_for 5 "a short press" daemon_said 'HOME: short press'
press HOME 0.1
dwell 0.15
press HOME 0.1
wait_for 5 "a double press" daemon_said 'HOME: double press'
dwell 0.5

button_down HOME
wait_for 5 "a long press, while it is held" daemon_said 'HOME: long press'
button_up HOME
# A button that is let go for less than it is debounced was not let go.
dwell 0.2
press HOME 1.22
wait_for 5 "what is neither is ignored" daemon_said 'HOME: held for 12.. ms, neither short nor long'
press ALLOW 0.2
wait_for 5 "the other button's short press" daemon_said 'ALLOW: short press'

for gesture in short:1 double:1 long:1 ignored:1; do
  expect_equal "HOME, ${gesture%:*}" "$(status_value "buttons.HOME.${gesture%:*}")" "${gesture#*:}"
done
expect_equal "the last gesture" "$(status_value buttons.HOME.last_gesture)" long
expect_equal "ALLOW, long" "$(status_value buttons.ALLOW.long)" 0
stop_daemon
