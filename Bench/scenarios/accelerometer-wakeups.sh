# The wake-ups that an accelerometer causes in all threads of the daemon, by the kernel's count of context switches. At 50 Hz, bursts cause
# at most 5 wake-ups a second, also with one read in a transfer. With an interrupt line, a board at rest causes at most 2 a minute. The
# reference for these limits is the same daemon without an accelerometer.
# An ADXL345 gives one sample for each read. A read takes two of the 42 parts that the kernel accepts in a transfer, so a transfer has 20 or
# 21 samples. A burst wakes the bus thread once for its time and once for each transfer. 50 samples a second therefore cost 3000 / 21 * 2 =
# 286 wake-ups a minute by bursts of one transfer, and 3000 / 28 * 3 = 321 by bursts of a FIFO of 32 samples. The wake-ups of the loop are
# additional, so this chip cannot keep the limit of 300.
# bench: limit=150

null_modem
device_for dialout /dev/ttyS0
gpio_chip pinctrl-bench BUTTON INT
getent group gpio >/dev/null || groupadd --system gpio
device_for gpio "/dev/$(gpio_device pinctrl-bench)"
accelerometers lis3dh=0x18

# wakeups SECONDS: counts the wake-ups of all threads of the daemon in this time, without requests of clients.
wakeups() {
  daemon=$(daemon_pid)
  switches=$(all_switches "$daemon")
  dwell "$1"
  switches=$(($(all_switches "$daemon") - switches))
}

accelerometer_profile Chip=none
start_daemon_with_accelerometer --receiver /dev/nobody
dwell 60
wakeups 600
alone_at_rest=$switches
start_watch app
dwell 5
wakeups 60
alone=$switches
say "wake-ups without a chip: $alone_at_rest in 10 minutes, $alone in a minute with a client"
stop_watch app
stop_daemon
: >"$service_journal"

# streams NAME MIN MAX: the wake-ups in a minute at 50 Hz must be in this range, and no sample may be lost.
streams() {
  start_watch app
  wait_for 10 "the daemon reads bursts of the chip's FIFO" status_is accelerometer.reading "${reading:-bursts of its FIFO}"
  # In the first minute the daemon searches for its absent receiver every second.
  dwell 65
  samples=$(status_value accelerometer.samples)
  wakeups 60
  samples=$(($(status_value accelerometer.samples) - samples))
  expect_within "$1: wake-ups in a minute at 50 Hz" $((switches - alone)) "$2" "$3"
  expect_within "$1: samples in a minute at 50 Hz" "$samples" 2800 3300
  expect_equal "$1: lost samples" "$(status_value accelerometer.samples_lost)" 0
  stop_watch app
}

accelerometer_profile
start_daemon_with_accelerometer --receiver /dev/nobody
wait_for 10 "the accelerometer works" accelerometer_is working
streams "bursts" 60 300
i2c_order one-read
streams "bursts with one read in a transfer" 60 300
i2c_order any-reads
stop_daemon
: >"$service_journal"
for kind in mpu6050=0x68:300 kx022=0x1e:300 mma8451=0x1c:300 lsm6ds3=0x6a:300 icm20948=0x69:300 lsm9ds1=0x6b:300 \
  adxl345=0x53:420; do
  no_accelerometers
  accelerometers "${kind%:*}"
  start_daemon_with_accelerometer --receiver /dev/nobody
  wait_for 10 "the accelerometer works" accelerometer_is working
  streams "bursts of ${kind%:*}" 60 "${kind#*:}"
  stop_daemon
  : >"$service_journal"
done
no_accelerometers
accelerometers lis3dh=0x18
: >"$service_journal"

# The control: a kernel driver reads each sample by itself. The count of wake-ups is far above the limit.
kernel_module st_accel_i2c
echo lis3dh 0x18 >/sys/bus/i2c/devices/i2c-1/new_device
echo 100 >/sys/bus/iio/devices/iio:device0/sampling_frequency
start_daemon_with_accelerometer --receiver /dev/nobody
start_watch app
wait_for 10 "the kernel's driver reads the chip" status_is accelerometer.reading "a driver of the kernel"
dwell 5
wakeups 10
expect_within "wake-ups in 10 s while a kernel driver reads each sample" "$switches" 500 10000
stop_watch app
stop_daemon
: >"$service_journal"
echo 0x18 >/sys/bus/i2c/devices/i2c-1/delete_device

no_accelerometers
accelerometers --interrupt 0x18=INT lis3dh=0x18
accelerometer_profile Interrupt=INT
start_daemon_with_accelerometer --receiver /dev/nobody
wait_for 10 "the accelerometer rests" status_is accelerometer.reading "one sample in 10 minutes, movement by its interrupt line"
dwell 60
wakeups 600
expect_within "wake-ups in 10 minutes at rest, for a chip with interrupt line" $((switches - alone_at_rest)) 0 20
i2c_order feel 0x18 0.5 0 0.85
wait_for 1 "the status report counts the movement" status_is accelerometer.movements 1
stop_daemon
