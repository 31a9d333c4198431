# Five newer accelerometers. The daemon does not write to a chip with a wrong identity. It reports an unplugged chip and a stuck bus, and
# uses the chip again afterwards. Bursts at 50 Hz cause at most 5 wake-ups a second.
# bench: limit=120

null_modem
device_for dialout /dev/ttyS0
accelerometer_profile

more_samples() { [ "$(status_value accelerometer.samples)" -gt "${seen:-1}" ]; }
# upper_hex BYTE: the byte with upper-case digits, as in messages.
upper_hex() { echo "$1" | tr a-f A-F; }

for kind in lsm6dso=0x6b lsm9ds1=0x6a icm20948=0x69 mma8451=0x1d kx022=0x1e; do
  address=${kind#*=}
  case $kind in
  lsm6*) register=0x10 fresh=0x00 ;;
  lsm9*) register=0x20 fresh=0x00 ;;
  icm*) register=0x06 fresh=0x41 ;;
  mma*) register=0x2a fresh=0x00 ;;
  kx*) register=0x18 fresh=0x00 ;;
  esac
  accelerometers "$kind"
  i2c_order identity "$address" 0x42
  start_daemon_with_accelerometer --receiver /dev/nobody
  wait_for 10 "the daemon does not use $kind with a wrong identity" accelerometer_is failed
  expect_equal "the fault that the daemon reports" "$(status_value accelerometer.fault | cut -d : -f 1)" \
    "no driver knows the chip at $(upper_hex "$address")"
  expect_equal "the chip's register $register, which must be unchanged" "$(i2cget -y 1 "$address" "$register")" "$fresh"
  i2c_order identity "$address" own
  wait_for 40 "the daemon uses the chip with its own identity" accelerometer_is working
  start_watch app
  wait_for 5 "the daemon gets samples" more_samples

  first=$(status_value daemon.turns)
  dwell 20
  turned=$(($(status_value daemon.turns) - first))
  expect_within "wake-ups of the daemon's loop in 20 s" "$turned" 20 100

  i2c_order unplug "$address"
  wait_for 10 "the daemon reports that the chip is missing" accelerometer_is failed
  i2c_order plug "$address"
  wait_for 40 "the accelerometer works when it is plugged in again" accelerometer_is working
  i2c_order stick
  wait_for 20 "the daemon reports a failure while the bus is stuck" accelerometer_is failed
  i2c_order release
  wait_for 40 "the accelerometer works when the bus is free again" accelerometer_is working
  seen=$(status_value accelerometer.samples)
  wait_for 5 "the daemon gets more samples" more_samples
  seen=
  stop_watch app
  stop_daemon
  no_accelerometers
  : >"$service_journal"
done
