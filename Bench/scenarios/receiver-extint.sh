# A receiver on I2C sleeps if its pin EXTINT is wired. The daemon does not poll the sleeping receiver, and a pulse on the line
# wakes it. Without the pulse the receiver stays asleep. On a serial line the pin wakes a receiver that ignores serial
# bytes. A line that another process holds does not disturb the receiver's work.
# bench: limit=180

gpio_chip pinctrl-bench OTHER EXTINT
getent group gpio >/dev/null || groupadd --system gpio
device_for gpio "/dev/$(gpio_device pinctrl-bench)"

# profile RECEIVER-KEY...: updates pause after 10 s of rest, the receiver sleeps 5 s later.
profile() {
  cat >/run/bench.conf <<END
[Board]
GPIO=pinctrl-bench
I2C=/dev/i2c-1
[Motion]
DwellDefault=10 s
[Receiver]
RestBeforeSleep=5 s
END
  for key; do echo "$key" >>/run/bench.conf; done
}

is_asleep() { power_is state asleep; }

i2c_chips --receiver m10 --path still --extint EXTINT
device_for i2c "/dev/i2c-$i2c_bus"
profile Device=i2c ExtInt=EXTINT
start_daemon --board /run/bench.conf
wait_for 5 "the line is claimed, and high" led_is EXTINT 1
start_watch app
wait_for 30 "the first position" has_fixes app 1
wait_for 60 "it sleeps" is_asleep
# It is woken once soon, to prove that it wakes, and sleeps on.
dwell 40
expect_equal "the receiver" "$(power_value state)" asleep
expect_equal "woken by" "$(power_value woken_by)" "the line to its pin EXTINT"
before=$(i2c_transfers)
dwell 20
expect_equal "transfers while it sleeps" $(($(i2c_transfers) - before)) 0
start_watch other
wait_for 6 "a position for the one that comes" has_fixes other 1
expect_equal "wakes without an answer" "$(power_value wakes_failed)" 0
stop_watch app
stop_watch other
stop_daemon
kill "$i2c_chips_process"
wait "$i2c_chips_process" || true
: >"$i2c_said"
: >"$service_journal"

# The control: the same line, and the pin hangs on another one.
i2c_chips --receiver m10 --path still --extint OTHER
profile Device=i2c ExtInt=EXTINT
start_daemon --board /run/bench.conf
start_watch app
wait_for 30 "the first position" has_fixes app 2
wait_for 60 "it sleeps" is_asleep
wait_for 60 "that it does not wake is told" daemon_said 'was sent to sleep and does not wake'
wait_for 60 "it came back by itself" status_is receiver.state running
dwell 60
expect_equal "it stays on" "$(power_value sleeps)" 1
stop_watch app
stop_daemon
kill "$i2c_chips_process"
wait "$i2c_chips_process" || true
: >"$service_journal"

# On a serial line, deaf asleep.
start_receiver --path still --oddities deaf-asleep --extint "$(gpio_line EXTINT)/value"
device_for dialout /dev/ttyS0
profile ExtInt=EXTINT
start_daemon --board /run/bench.conf --receiver /dev/ttyS0
start_watch app
wait_for 30 "the first position" has_fixes app 1
wait_for 60 "it sleeps" is_asleep
dwell 60
expect_equal "the receiver" "$(power_value state)" asleep
start_watch other
wait_for 6 "a position for the one that comes" has_fixes other 1
expect_equal "wakes without an answer" "$(power_value wakes_failed)" 0
# The chip goes while it is on, and comes back.
gpio_remove pinctrl-bench
wait_for 5 "that is told" daemon_said 'the line to its pin EXTINT cannot be used'
more_fixes 10 other 3
stop_watch app
stop_watch other
stop_daemon
stop_receiver
: >"$service_journal"
gpio_return pinctrl-bench
device_for gpio "/dev/$(gpio_device pinctrl-bench)"

# Another process holds the line.
start_receiver --path still
gpioset --mode=signal "$(gpio_device pinctrl-bench)" 1=1 &
holder=$!
start_daemon --board /run/bench.conf --receiver /dev/ttyS0
start_watch app
wait_for 30 "the first position" has_fixes app 1
wait_for 60 "it sleeps" is_asleep
expect "the holder is told" text_in /run/said/daemon 'the line to its pin EXTINT cannot be used.*held by'
expect_equal "woken by" "$(power_value woken_by)" "edges on its serial line"
kill "$holder"
stop_watch app
stop_daemon
