# The status light is off without a receiver, blinks while the receiver searches, and is solid with a fix. The indicator is claimed, is
# dark, and stays dark.

panel_chip
start_panel
# The scenario reads this file often. A search for the line each time would take seconds.
lamp=$(gpio_line STATUS)/value
lamp_is() {
  read -r level <"$lamp"
  [ "$level" = "$1" ]
}
wait_for 5 "the daemon has claimed the lines" panel_is_claimed
expect "the indicator is dark" led_is INDICATOR 0
expect_equal "the indicator's level that the daemon reads back" "$(status_value indicator.read_back)" off
gpioinfo pinctrl-bench >/run/lines
expect "the indicator's line is claimed as an output" text_in /run/lines '"INDICATOR" .*binnacle indicator.* output'
expect "the button's line is claimed as an input" text_in /run/lines '"HOME" .*binnacle button HOME.* input'

start_receiver
device_for dialout /dev/ttyS0
wait_for 20 "the status light goes on" lamp_is 1
wait_for 20 "the status report has the status light solid, with a fix" status_is status_light.pattern "solid: fix"
stays 3 "the status light is solid" lamp_is 1
stop_receiver
wait_for 30 "the status light goes off without fixes" lamp_is 0
wait_for 5 "the status light goes on again" lamp_is 1
wait_for 5 "the status light goes off again" lamp_is 0
expect "the indicator is still dark" led_is INDICATOR 0
expect_equal "mismatches of status light and indicator" "$(status_value status_light.mismatches)$(status_value indicator.mismatches)" 00
stop_daemon
wait_for 5 "the status light is dark after the end of the daemon" lamp_is 0
