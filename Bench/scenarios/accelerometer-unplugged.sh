# The daemon reports an unplugged chip, and sets up the chip again when it returns. The daemon also reports a frozen axis and a chip without
# samples.

null_modem
device_for dialout /dev/ttyS0
accelerometer_profile Address=0x18
accelerometers lis3dh=0x18
start_daemon_with_accelerometer --receiver /dev/ttyS0
start_watch app
wait_for 10 "the daemon reads bursts of the chip's FIFO" status_is accelerometer.reading "bursts of its FIFO"

for round in 1 2 3; do
  dwell 2
  i2c_order unplug 0x18
  wait_for 10 "the daemon reports that the chip is missing" accelerometer_is failed
  before=$(status_value accelerometer.samples)
  i2c_order plug 0x18
  wait_for 40 "the accelerometer works when it is plugged in again" accelerometer_is working
  dwell 3
  expect_within "samples since the chip was plugged in" $(($(status_value accelerometer.samples) - before)) 100 400
done
expect "the daemon's log reports the I/O error of the missing chip" daemon_said "accelerometer: /dev/i2c-1, address 0x18: Remote I/O error"

i2c_order freeze 0x18 y
wait_for 15 "the daemon reports the chip with a frozen axis as doubtful" accelerometer_is doubtful
expect "the status report names the frozen axis" \
  sh -c '[ "$1" = "LIS3DH: axis y has not changed for 10 s" ]' - "$(status_value accelerometer.fault)"
i2c_order freeze 0x18 none
i2c_order still 0x18
wait_for 10 "the daemon reports the chip without samples as failed" accelerometer_is failed
i2c_order lively 0x18
wait_for 40 "the accelerometer works when it makes samples again" accelerometer_is working
stop_watch app
stop_daemon
