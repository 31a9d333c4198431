# The daemon reports a chip with a wrong identity, and the identity that it read. It does not write to such a chip.

null_modem
device_for dialout /dev/ttyS0
accelerometer_profile Chip=lis3dh Address=0x18
accelerometers lis3dh=0x18
i2c_order identity 0x18 0x42
start_daemon_with_accelerometer --receiver /dev/ttyS0
wait_for 10 "the daemon does not use the chip with a wrong identity" accelerometer_is failed
expect_equal "the fault that the daemon reports" "$(status_value accelerometer.fault)" \
  "no driver knows the chip at 0x18: register 0x0F reads 0x42"
# CTRL_REG1 and CTRL_REG4 still have their power-on values.
expect_equal "register 0x20 of the chip with a wrong identity" "$(i2cget -y 1 0x18 0x20)" 0x07
expect_equal "register 0x23 of the chip with a wrong identity" "$(i2cget -y 1 0x18 0x23)" 0x00
i2c_order identity 0x18 own
wait_for 40 "the daemon uses the chip with its own identity" accelerometer_is working
expect_equal "register 0x23 of the chip in use" "$(i2cget -y 1 0x18 0x23)" 0x88

# No chip answers.
i2c_order unplug 0x18
wait_for 90 "the daemon reports that the chip is missing" accelerometer_is failed
stop_daemon
