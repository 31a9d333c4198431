# A stuck bus stops only the accelerometer: positions continue, and the daemon answers requests of clients within half a second. Failed
# transfers lose some samples at most.

start_receiver
device_for dialout /dev/ttyS0
accelerometer_profile
accelerometers lis3dh=0x18
start_daemon_with_accelerometer --receiver /dev/ttyS0
start_watch app
wait_for 30 "the client has three positions" has_fixes app 3
wait_for 10 "the daemon reads bursts of the chip's FIFO" status_is accelerometer.reading "bursts of its FIFO"

i2c_order stick
before=$(fixes app)
dwell 10
expect_within "positions of the client in 10 s with a stuck bus" $(($(fixes app) - before)) 9 11
look_at_clock
began=$clock
status_value accelerometer.state >/dev/null
look_at_clock
expect_within "hundredths of a second for a status request" $((clock - began)) 0 50
wait_for 20 "the daemon reports a failure while the bus is stuck" accelerometer_is failed
expect "the daemon's log reports the time-out of the stuck bus" daemon_said "accelerometer: /dev/i2c-1, address 0x18: Connection timed out"
i2c_order release
wait_for 40 "the accelerometer works when the bus is free again" accelerometer_is working

# One transfer is lost to another master, 16 are not acknowledged, and in 8 the clock is stretched beyond the adapter's time-out.
before=$(status_value accelerometer.samples)
i2c_order lost 1
for round in 1 2 3 4 5 6 7 8; do
  dwell 1
  i2c_order nak 2
  dwell 1
  i2c_order stretch 1
done
expect_within "samples in 16 s with failed transfers" $(($(status_value accelerometer.samples) - before)) 400 900
expect "the accelerometer works after the failed transfers" accelerometer_is working

# An adapter with one read in a transfer, as in the Raspberry Pi up to 4.
no_accelerometers
accelerometers adxl345=0x53
i2c_order one-read
wait_for 60 "the daemon uses the ADXL345, with one read in a transfer" status_is accelerometer.chip ADXL345
wait_for 10 "the daemon reads bursts of the chip's FIFO" status_is accelerometer.reading "bursts of its FIFO"
before=$(status_value accelerometer.samples)
dwell 5
expect_within "samples of the ADXL345 in 5 s" $(($(status_value accelerometer.samples) - before)) 200 300
stop_watch app
stop_daemon
