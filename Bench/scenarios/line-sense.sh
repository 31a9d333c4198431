# An input is wired to the indicator's lamp. If the lamp is lit although its line is off, the daemon reports this in its log and by the
# status light.

panel_chip
panel_profile pull-up SENSE
start_panel
wait_for 5 "the daemon has claimed the lines" panel_is_claimed
wait_for 5 "the sense input reads a dark lamp" status_is indicator.sense off
wait_for 2 "the status report has no fault of the sense input" status_is indicator.sense_is_faulty no

gpio_pull SENSE up
wait_for 5 "the daemon's log reports a lit lamp that must be dark" daemon_said "indicator's sense: the lamp is lit, but must be dark"
wait_for 2 "the status report has the status light's blink for a fault" status_is status_light.pattern "fast blink: fault"
wait_for 2 "the status light goes on" led_is STATUS 1
gpio_pull SENSE down
wait_for 5 "the daemon's log reports that the sense input agrees again" daemon_said "indicator's sense: agrees with the lamp again"
wait_for 2 "the status report has the status light off: no receiver" status_is status_light.pattern "off: no receiver"
wait_for 2 "the status light goes off" led_is STATUS 0
stop_daemon
