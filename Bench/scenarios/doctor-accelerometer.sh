# The installed doctor names the fault of an accelerometer and the remedy: no chip at the address, another chip, a kernel driver, a stuck
# bus, or i2c-dev missing. While the daemon runs, the doctor reports the findings of the daemon: an unknown chip, noise, or a frozen axis.
# bench: limit=90

null_modem
device_for dialout /dev/ttyS0
accelerometer_profile Address=0x18
accelerometers lis3dh=0x18

# finds SEVERITY FINDING [COUNT]: the doctor reports this finding, and exactly COUNT findings about the accelerometer. The default of COUNT
# is 1.
finds() {
  binnacle doctor --json --board /run/bench.conf --receiver /dev/none >/run/found 2>/run/said/doctor || true
  grep -e '"finding":"\(accelerometer\|kernel-driver\|bus\)' /run/found >/run/about || true
  cp /run/about /run/said/findings
  expect_equal "findings about the accelerometer" "$(wc -l </run/about)" "${3:-1}"
  expect "the doctor reports $2" text_in /run/about "\"finding\":\"$2\""
  expect "the severity of $2 is $1" text_in /run/about "\"finding\":\"$2\",\"severity\":\"$1\""
}
mends() { expect "the doctor's remedy contains $1" text_in /run/about "\"mend\":.*$1"; }
kind_is() { status_is accelerometer.fault_kind "$1"; }

finds note accelerometer-found
expect "the doctor names the chip LIS3DH" text_in /run/about "LIS3DH"
i2c_order unplug 0x18
finds fault accelerometer-missing
mends "i2cdetect -y 1"
i2c_order plug 0x18
i2c_order identity 0x18 0x42
finds fault accelerometer-unknown
expect "the doctor reports the identity that it reads" text_in /run/about "0x0F reads 0x42"
mends "Address="
i2c_order identity 0x18 own
i2c_order stick
finds fault bus-fails
mends "SDA"
i2c_order release
kernel_module st_accel_i2c
echo lis3dh 0x18 >/sys/bus/i2c/devices/i2c-1/new_device
finds note kernel-driver
echo 0x18 >/sys/bus/i2c/devices/i2c-1/delete_device
mv /dev/i2c-1 /dev/i2c-1.away
finds fault bus-driver-missing
mends "modprobe i2c-dev"
mv /dev/i2c-1.away /dev/i2c-1

start_daemon_with_accelerometer --receiver /dev/none
wait_for 10 "the accelerometer works" accelerometer_is working
finds note accelerometer-found
i2c_order identity 0x18 0x42
wait_for 90 "the daemon reports an unknown chip" kind_is unknown-chip
finds fault accelerometer-fails
i2c_order identity 0x18 own
wait_for 60 "the accelerometer works with its own identity" accelerometer_is working
start_watch app
wait_for 10 "the daemon reads bursts of the chip's FIFO" status_is accelerometer.reading "bursts of its FIFO"
# The doctor compares only with the data sheet, so a shaking board appears as a noisy chip.
is_noisy() {
  deviation=$(thousandths accelerometer.last_deviation_mg)
  [ "${deviation:-0}" -gt 50000 ]
}
shaken() {
  i2c_order feel 0x18 0.3 0 1
  dwell 0.3
  i2c_order feel 0x18 -0.3 0 1
  is_noisy
}
wait_for 20 "the deviation of the chip's samples is above 50 mg" shaken
finds note accelerometer-noisy
mends "at rest"
i2c_order feel 0x18 0 0 1
i2c_order freeze 0x18 y
wait_for 20 "the daemon reports the frozen axis" kind_is frozen
# The second finding names the chip.
finds fault accelerometer-doubtful 2
i2c_order freeze 0x18 none
stop_watch app
stop_daemon
