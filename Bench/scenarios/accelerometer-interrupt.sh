# The interrupt line of an accelerometer. While the chip streams, its watermark signals when the daemon must read the FIFO. At rest the line
# reports movement within a second, and the chip causes at most two wake-ups a minute. The daemon polls a chip without a watermark while the
# chip streams.
# bench: limit=150

null_modem
device_for dialout /dev/ttyS0
gpio_chip pinctrl-bench BUTTON INT
getent group gpio >/dev/null || groupadd --system gpio
device_for gpio "/dev/$(gpio_device pinctrl-bench)"
# The reference is the same daemon without an accelerometer. The daemon searches for its receiver at intervals.
accelerometer_profile Chip=none
start_daemon_with_accelerometer --receiver /dev/nobody
dwell 60
first=$(status_value daemon.turns)
dwell 60
alone=$(($(status_value daemon.turns) - first))
stop_daemon
: >"$service_journal"

accelerometer_profile Interrupt=INT

for kind in lis3dh=0x18 adxl345=0x53 mpu6050=0x68 mpu6500=0x69 lsm6ds3=0x6a lsm6ds3trc=0x6b lsm6dso=0x6a \
  lsm9ds1=0x6b icm20948=0x68 mma8451=0x1c mma8452=0x1d kx022=0x1f; do
  address=${kind#*=}
  accelerometers --interrupt "$address=INT" "$kind"
  start_daemon_with_accelerometer --receiver /dev/nobody
  wait_for 10 "the accelerometer $kind rests" status_is accelerometer.reading "one sample in 10 minutes, movement by its interrupt line"
  dwell 60
  first=$(status_value daemon.turns)
  dwell 60
  rested=$(($(status_value daemon.turns) - first))
  expect_within "wake-ups of the daemon's loop in a minute at rest, for the chip" $((rested - alone)) 0 2
  expect_equal "movements that the interrupt line reported at rest" "$(status_value accelerometer.movements)" 0
  i2c_order feel "$address" 0.5 0 0.85
  wait_for 1 "the status report counts the movement" status_is accelerometer.movements 1
  start_watch app
  case $kind in
  mpu* | icm*) way="bursts of its FIFO" ;;
  mma8452*) way="single samples" ;;
  *) way="bursts of its FIFO when its line says so" ;;
  esac
  wait_for 5 "the accelerometer streams" status_is accelerometer.reading "$way"
  before=$(status_value accelerometer.samples)
  dwell 8
  expect_within "samples of the chip in 8 s" $(($(status_value accelerometer.samples) - before)) 335 460
  expect "the accelerometer works" accelerometer_is working
  stop_watch app
  stop_daemon
  no_accelerometers
  : >"$service_journal"
done
