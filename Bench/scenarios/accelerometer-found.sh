# The daemon finds each accelerometer on the kernel's bus, and the chip passes its self-test. While no client wants positions, the daemon
# reads one sample a minute. While a client wants positions, the chip streams: in FIFO bursts if it has a FIFO. The daemon reports the
# acceleration that the chip measures.
# bench: limit=240

null_modem
device_for dialout /dev/ttyS0
accelerometer_profile
for kind in lis3dh=0x19 mpu6050=0x68 mpu6500=0x69 adxl345=0x1d lsm6ds3=0x6a lsm6ds3trc=0x6b lsm6dso=0x6a \
  lsm9ds1=0x6b icm20948=0x69 mma8451=0x1d mma8452=0x1c mma8453=0x1d kx022=0x1e kx023=0x1f; do
  address=${kind#*=}
  accelerometers "$kind"
  start_daemon_with_accelerometer --receiver /dev/ttyS0
  wait_for 10 "the accelerometer $kind works" accelerometer_is working
  say "the chip: $(status_value accelerometer.chip), noise $(status_value accelerometer.noise_of_chip_mg) mg"
  expect_equal "the chip's address" "$(status_value accelerometer.address)" "$((address))"
  expect_equal "the result of the chip's self-test" "$(status_value accelerometer.self_test)" passed
  expect_equal "the reading method without a client" "$(status_value accelerometer.reading)" "one sample a minute"
  wait_for 2 "the daemon has the chip's first sample" status_is accelerometer.samples 1

  start_watch app
  case $kind in
  mma8452* | mma8453*) way="single samples" ;;
  *) way="bursts of its FIFO" ;;
  esac
  wait_for 5 "the accelerometer streams" status_is accelerometer.reading "$way"
  before=$(status_value accelerometer.samples)
  dwell 8
  # The clocks of chips have an error of some percent, and the count may have one burst more or less.
  expect_within "samples of the chip in 8 s" $(($(status_value accelerometer.samples) - before)) 335 460
  expect_equal "lost samples" "$(status_value accelerometer.samples_lost)" 0
  i2c_order feel "$address" 0.5 -0.25 0.8
  dwell 4
  expect_within "reported acceleration in x, in mg" "$(thousandths accelerometer.last_x_g)" 490 510
  expect_within "reported acceleration in y, in mg" "$(thousandths accelerometer.last_y_g)" -260 -240
  expect_within "reported acceleration in z, in mg" "$(thousandths accelerometer.last_z_g)" 790 810
  stop_watch app
  wait_for 5 "the daemon reads one sample a minute without a client" status_is accelerometer.reading "one sample a minute"
  stop_daemon
  no_accelerometers
  : >"$service_journal"
done
