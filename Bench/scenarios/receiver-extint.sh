# A receiver on I2C sleeps if its pin EXTINT is wired. The daemon does not poll the sleeping receiver, and a pulse on the line
# wakes it. Without the pulse the receiver stays asleep. On a serial line the pin wakes a receiver that ignores serial
# bytes. A line that another process holds does not disturb the receiver's work.
# bench: limit=180

gpio_chip pinctrl-bench OTHER EXTINT
getent group gpio >/dev/null || groupadd --system gpio
device_for gpio "/dev/$(gpio_device pinctrl-bench)"

# profile RECEIVER-KEY...: writes a profile. Updates pause after 10 s of rest, and the receiver sleeps 5 s later.
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
wait_for 5 "the level of the line EXTINT is high" led_is EXTINT 1
start_watch app
wait_for 30 "the client has its first position" has_fixes app 1
wait_for 60 "the receiver sleeps" is_asleep
# The daemon soon wakes the receiver once, as a test. The receiver then sleeps again.
dwell 40
expect_equal "the power state of the receiver" "$(power_value state)" asleep
expect_equal "the way to wake the receiver" "$(power_value woken_by)" "the line to its pin EXTINT"
before=$(i2c_transfers)
dwell 20
expect_equal "transfers while the receiver sleeps" $(($(i2c_transfers) - before)) 0
start_watch other
wait_for 6 "a new client gets a position" has_fixes other 1
expect_equal "wake-ups that the receiver did not answer" "$(power_value wakes_failed)" 0
stop_watch app
stop_watch other
stop_daemon
kill "$i2c_chips_process"
wait "$i2c_chips_process" || true
: >"$i2c_said"
: >"$service_journal"

# The control: the daemon uses the same line, but the receiver's pin is wired to another line.
i2c_chips --receiver m10 --path still --extint OTHER
profile Device=i2c ExtInt=EXTINT
start_daemon --board /run/bench.conf
start_watch app
wait_for 30 "the client has its first position" has_fixes app 2
wait_for 60 "the receiver sleeps" is_asleep
wait_for 60 "the daemon's log reports that the receiver does not wake" daemon_said 'no answer after the wake-up order'
wait_for 60 "the receiver runs again without a pulse" status_is receiver.state running
dwell 60
expect_equal "sleeps of the receiver" "$(power_value sleeps)" 1
stop_watch app
stop_daemon
kill "$i2c_chips_process"
wait "$i2c_chips_process" || true
: >"$service_journal"

# A receiver on a serial line, which ignores serial bytes while it sleeps.
start_receiver --path still --oddities deaf-asleep --extint "$(gpio_line EXTINT)/value"
device_for dialout /dev/ttyS0
profile ExtInt=EXTINT
start_daemon --board /run/bench.conf --receiver /dev/ttyS0
start_watch app
wait_for 30 "the client has its first position" has_fixes app 1
wait_for 60 "the receiver sleeps" is_asleep
dwell 60
expect_equal "the power state of the receiver" "$(power_value state)" asleep
start_watch other
wait_for 6 "a new client gets a position" has_fixes other 1
expect_equal "wake-ups that the receiver did not answer" "$(power_value wakes_failed)" 0
# The GPIO chip is unplugged while the receiver is on, and plugged in later.
gpio_remove pinctrl-bench
wait_for 5 "the daemon's log reports that the line EXTINT cannot be used" daemon_said 'the line to its pin EXTINT cannot be used'
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
wait_for 30 "the client has its first position" has_fixes app 1
wait_for 60 "the receiver sleeps" is_asleep
expect "the daemon's log names the holder of the line" text_in /run/said/daemon 'the line to its pin EXTINT cannot be used.*held by'
expect_equal "the way to wake the receiver" "$(power_value woken_by)" "edges on its serial line"
kill "$holder"
stop_watch app
stop_daemon
