# The daemon reports a line that another program holds, with that program's name. It works without the line, and claims the line when the
# line is free.

tool gpioset
panel_chip
chip=$(gpio_device pinctrl-bench)
gpioset --mode=signal "$chip" 3=0 &
thief=$!
gpiomon --silent "$chip" 0 &
watcher=$!
line_is_used() { gpioinfo "$chip" | grep -q "\"$1\".*\[used\]"; }
wait_for 2 "another program holds the status light's line" line_is_used STATUS
wait_for 2 "another program holds the line of HOME" line_is_used HOME

start_panel
wait_for 5 "the daemon has claimed the line of ALLOW" panel_is_claimed
expect "the daemon's log names the program that holds the status light" \
  daemon_said "status light: not driven.*STATUS on pinctrl-bench: held by 'gpioset'"
expect "the daemon's log names the program that holds HOME" \
  daemon_said "button HOME: not watched.*HOME on pinctrl-bench: held by 'gpiomon'"
press ALLOW 0.2
wait_for 5 "the daemon's log has a short press of ALLOW" daemon_said 'ALLOW: short press'
dwell 20
expect "the daemon's log has one report about the line of HOME" said_times 'button HOME: not watched' 1
expect_equal "state of HOME's line in the status report" "$(status_value buttons.HOME.line_state)" "unavailable, the daemon tries again later"

kill "$thief" "$watcher"
wait_for 40 "the daemon has claimed the line of HOME" daemon_said 'button HOME: the line can be used now'
wait_for 40 "the daemon has claimed the status light's line" daemon_said 'status light: the line can be used now'
press HOME 0.2
wait_for 5 "the daemon's log has a short press of HOME" daemon_said 'HOME: short press'
stop_daemon
