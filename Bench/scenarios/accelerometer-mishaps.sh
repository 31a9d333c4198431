# Each newer accelerometer: another identity is never written to, a chip that is unplugged and a bus that is stuck are
# told and end; 50 Hz by bursts cost at most 5 wakeups a second.
# bench: limit=120

null_modem
device_for dialout /dev/ttyS0
accelerometer_profile

more_samples() { [ "$(status_value accelerometer.samples)" -gt "${seen:-1}" ]; }
# upper_hex BYTE: as messages spell it.
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
  wait_for 10 "$kind is not used" accelerometer_is failed
  expect_equal "why" "$(status_value accelerometer.fault | cut -d : -f 1)" \
    "no driver knows the chip at $(upper_hex "$address")"
  expect_equal "register $register" "$(i2cget -y 1 "$address" "$register")" "$fresh"
  i2c_order identity "$address" own
  wait_for 40 "it is used when it is itself" accelerometer_is working
  start_watch app
  wait_for 5 "it streams" more_samples

  first=$(status_value daemon.turns)
  dwell 20
  turned=$(($(status_value daemon.turns) - first))
  expect_within "turns of the loop in 20 s" "$turned" 20 100

  i2c_order unplug "$address"
  wait_for 10 "it is missed" accelerometer_is failed
  i2c_order plug "$address"
  wait_for 40 "it works again" accelerometer_is working
  i2c_order stick
  wait_for 20 "the stuck bus is told" accelerometer_is failed
  i2c_order release
  wait_for 40 "it works again" accelerometer_is working
  seen=$(status_value accelerometer.samples)
  wait_for 5 "it streams" more_samples
  seen=
  stop_watch app
  stop_daemon
  no_accelerometers
  : >"$service_journal"
done
