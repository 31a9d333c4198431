# A button that is held when the daemon starts counts only after it was let go once.

panel_chip
# A resistor of the circuit's own holds the line: the daemon must not.
panel_profile none
gpio_pull HOME down
gpio_pull ALLOW up
start_panel
wait_for 5 "it is told" daemon_said 'HOME: pressed already, counts after it was let go once'
dwell 3
expect_equal "long presses" "$(status_value buttons.HOME.long)" 0
button_up HOME
dwell 1
expect_equal "short presses" "$(status_value buttons.HOME.short)" 0
press HOME 0.3
wait_for 5 "a short press" daemon_said 'HOME: short press'
stop_daemon
