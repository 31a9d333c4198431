# A lamp that is lit although its line is off is seen by the input that is wired to it, and told on the status light.

panel_chip
panel_profile pull-up SENSE
start_panel
wait_for 5 "the lines are claimed" panel_is_claimed
wait_for 5 "the lamp is seen to be dark" status_is indicator.sense off
wait_for 2 "nothing is wrong" status_is indicator.sense_is_faulty no

gpio_pull SENSE up
wait_for 5 "it is told" daemon_said "indicator's sense: the lamp is lit and ought to be dark"
wait_for 2 "the status light says so" status_is status_light.pattern "fast blink: fault"
wait_for 2 "by blinking" led_is STATUS 1
gpio_pull SENSE down
wait_for 5 "it is told, too, that all is well" daemon_said "indicator's sense: agrees with the lamp again"
wait_for 2 "the status light is dark: no receiver" status_is status_light.pattern "off: no receiver"
wait_for 2 "it is" led_is STATUS 0
stop_daemon
