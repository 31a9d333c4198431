# A chip that is not what it should be is told with what it reads, and never written to.

null_modem
device_for dialout /dev/ttyS0
accelerometer_profile Chip=lis3dh Address=0x18
accelerometers lis3dh=0x18
i2c_order identity 0x18 0x42
start_daemon_with_accelerometer --receiver /dev/ttyS0
wait_for 10 "it is not used" accelerometer_is failed
expect_equal "why" "$(status_value accelerometer.fault)" \
  "no driver knows the chip at 0x18: register 0x0F reads 0x42"
# CTRL_REG1 and 4 still read as after switching on.
expect_equal "register 0x20" "$(i2cget -y 1 0x18 0x20)" 0x07
expect_equal "register 0x23" "$(i2cget -y 1 0x18 0x23)" 0x00
i2c_order identity 0x18 own
wait_for 40 "it is used when it is itself" accelerometer_is working
expect_equal "register 0x23" "$(i2cget -y 1 0x18 0x23)" 0x88

# No chip answers.
i2c_order unplug 0x18
wait_for 90 "it is missed" accelerometer_is failed
stop_daemon
