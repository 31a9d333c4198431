# If a button is held when the daemon starts, the button counts only after it is released once.

panel_chip
# The circuit has a pull resistor of its own, so the daemon must not set a bias.
panel_profile none
gpio_pull HOME down
gpio_pull ALLOW up
start_panel
wait_for 5 "the daemon reports that HOME is already pressed" daemon_said 'HOME: already pressed; presses count only after it is released'
dwell 3
expect_equal "long presses of HOME while it is held" "$(status_value buttons.HOME.long)" 0
button_up HOME
dwell 1
expect_equal "short presses of HOME after its first release" "$(status_value buttons.HOME.short)" 0
press HOME 0.3
wait_for 5 "the daemon's log has a short press of HOME" daemon_said 'HOME: short press'
stop_daemon
