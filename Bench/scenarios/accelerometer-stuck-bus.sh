# A stuck bus stops only the accelerometer: positions continue, and requests of clients are answered at once. A disturbed
# bus loses at most some samples.

start_receiver
device_for dialout /dev/ttyS0
accelerometer_profile
accelerometers lis3dh=0x18
start_daemon_with_accelerometer --receiver /dev/ttyS0
start_watch app
wait_for 30 "positions" has_fixes app 3
wait_for 10 "it streams" status_is accelerometer.reading "bursts of its FIFO"

i2c_order stick
before=$(fixes app)
dwell 10
expect_within "positions in 10 s with a stuck bus" $(($(fixes app) - before)) 9 11
look_at_clock
began=$clock
status_value accelerometer.state >/dev/null
look_at_clock
expect_within "hundredths of a second for a question" $((clock - began)) 0 50
wait_for 20 "the stuck bus is told" accelerometer_is failed
expect "as what it is" daemon_said "accelerometer: /dev/i2c-1, address 0x18: Connection timed out"
i2c_order release
wait_for 40 "it works again" accelerometer_is working

# One transfer in some fails, and some bytes are wrong.
before=$(status_value accelerometer.samples)
i2c_order lost 1
for round in 1 2 3 4 5 6 7 8; do
  dwell 1
  i2c_order nak 2
  dwell 1
  i2c_order stretch 1
done
expect_within "samples in 16 s with failures" $(($(status_value accelerometer.samples) - before)) 400 900
expect "it works" accelerometer_is working

# An adapter like that of the Raspberry Pi up to 4.
no_accelerometers
accelerometers adxl345=0x53
i2c_order one-read
wait_for 60 "another chip on an adapter that takes one read" status_is accelerometer.chip ADXL345
wait_for 10 "it streams" status_is accelerometer.reading "bursts of its FIFO"
before=$(status_value accelerometer.samples)
dwell 5
expect_within "samples in 5 s" $(($(status_value accelerometer.samples) - before)) 200 300
stop_watch app
stop_daemon
