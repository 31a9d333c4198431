# The status light is off without a receiver, blinks while it searches and is solid with a fix; the indicator is
# claimed, dark, and stays so.

panel_chip
start_panel
# Asked often; looking for the line each time would take seconds.
lamp=$(gpio_line STATUS)/value
lamp_is() {
  read -r level <"$lamp"
  [ "$level" = "$1" ]
}
wait_for 5 "the lines are claimed" panel_is_claimed
expect "the indicator is dark" led_is INDICATOR 0
expect_equal "it reads back" "$(status_value indicator.read_back)" off
gpioinfo pinctrl-bench >/run/lines
expect "the indicator is claimed" text_in /run/lines '"INDICATOR" .*binnacle indicator.* output'
expect "so is the button" text_in /run/lines '"HOME" .*binnacle button HOME.* input'

start_receiver
device_for dialout /dev/ttyS0
wait_for 20 "the status light goes on" lamp_is 1
wait_for 20 "there is a fix" status_is status_light.pattern "solid: fix"
stays 3 "the light is solid" lamp_is 1
stop_receiver
wait_for 30 "without fixes the light goes off" lamp_is 0
wait_for 5 "and on again: it blinks" lamp_is 1
wait_for 5 "and off" lamp_is 0
expect "the indicator is still dark" led_is INDICATOR 0
expect_equal "mismatches" "$(status_value status_light.mismatches)$(status_value indicator.mismatches)" 00
stop_daemon
wait_for 5 "a lamp whose line is free is dark" lamp_is 0
