# The daemon reports an unplugged GPIO chip at once, for each of its lines. The daemon does not poll meanwhile, and uses the chip again when
# the chip is plugged in.

panel_chip
start_panel
wait_for 5 "the daemon has claimed the lines" panel_is_claimed
daemon=$(daemon_pid)
press HOME 0.2
wait_for 5 "the daemon's log has a short press of HOME" daemon_said 'HOME: short press'

gpio_remove pinctrl-bench
wait_for 2 "the daemon reports that the button's line is missing" daemon_said 'button HOME: not watched.*the chip has gone'
wait_for 2 "the daemon reports that the indicator's line is missing" daemon_said 'indicator: not driven.*the chip has gone'
wait_for 2 "the status report has one loss of the indicator's line" status_is indicator.losses 1
wait_for 2 "the status report has the indicator as faulty" status_is indicator.is_faulty yes
dwell 10
before=$(voluntary_switches "$daemon")
dwell 60
expect_within "wake-ups in a minute without the chip" $(($(voluntary_switches "$daemon") - before)) 0 120

gpio_return pinctrl-bench
panel_permitted
wait_for 40 "the daemon reports that the button's line is there again" daemon_said 'button HOME: the line can be used now'
wait_for 40 "the daemon reports that the indicator's line is there again" daemon_said 'indicator: the line can be used now'
press HOME 0.2
wait_for 5 "the daemon counts another short press of HOME" status_is buttons.HOME.short 2
expect "the indicator is dark" led_is INDICATOR 0
stop_daemon
