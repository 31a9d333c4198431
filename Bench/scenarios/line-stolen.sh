# A line that another program holds is reported with that program's name and had once it is free; the daemon goes on
# without it.

tool gpioset
panel_chip
chip=$(gpio_device pinctrl-bench)
gpioset --mode=signal "$chip" 3=0 &
thief=$!
gpiomon --silent "$chip" 0 &
watcher=$!
line_is_used() { gpioinfo "$chip" | grep -q "\"$1\".*\[used\]"; }
wait_for 2 "another program has the lamp" line_is_used STATUS
wait_for 2 "and the button" line_is_used HOME

start_panel
wait_for 5 "the other button is claimed" panel_is_claimed
expect "the lamp's holder is told" daemon_said "status light: not driven.*STATUS on pinctrl-bench: held by 'gpioset'"
expect "the button's holder is told" daemon_said "button HOME: not watched.*HOME on pinctrl-bench: held by 'gpiomon'"
press ALLOW 0.2
wait_for 5 "the other button works" daemon_said 'ALLOW: short press'
dwell 20
expect "it is told once" said_times 'button HOME: not watched' 1
expect_equal "status" "$(status_value buttons.HOME.line_state)" "not to be had, tried again later"

kill "$thief" "$watcher"
wait_for 40 "the button is had" daemon_said 'button HOME: the line is there now'
wait_for 40 "the lamp is had" daemon_said 'status light: the line is there now'
press HOME 0.2
wait_for 5 "and works" daemon_said 'HOME: short press'
stop_daemon
