# A chip that goes is noticed at once on every line, costs no busy loop, and is used again when it is back.

panel_chip
start_panel
wait_for 5 "the lines are claimed" panel_is_claimed
daemon=$(daemon_pid)
press HOME 0.2
wait_for 5 "a short press" daemon_said 'HOME: short press'

gpio_remove pinctrl-bench
wait_for 2 "the button's line is gone" daemon_said 'button HOME: not watched.*the chip has gone'
wait_for 2 "the indicator's line is gone" daemon_said 'indicator: not driven.*the chip has gone'
wait_for 2 "losses" status_is indicator.losses 1
wait_for 2 "a lost indicator is a fault" status_is indicator.is_faulty yes
dwell 10
before=$(voluntary_switches "$daemon")
dwell 60
expect_within "wake-ups in a minute without the chip" $(($(voluntary_switches "$daemon") - before)) 0 120

gpio_return pinctrl-bench
panel_permitted
wait_for 40 "the button is back" daemon_said 'button HOME: the line is there now'
wait_for 40 "the indicator is back" daemon_said 'indicator: the line is there now'
press HOME 0.2
wait_for 5 "and works" status_is buttons.HOME.short 2
expect "the indicator is dark" led_is INDICATOR 0
stop_daemon
