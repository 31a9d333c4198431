# If a kernel driver holds the chip, the daemon reads the chip only through this driver. When the kernel driver is removed, the daemon reads
# the chip itself.

null_modem
device_for dialout /dev/ttyS0
accelerometer_profile Address=0x18
accelerometers lis3dh=0x18
kernel_module st_accel_i2c
echo lis3dh 0x18 >/sys/bus/i2c/devices/i2c-1/new_device
expect "the kernel has bound its driver to the chip" test -e /sys/bus/i2c/devices/1-0018/driver
# This driver wakes the chip for each number that is read. Each number takes the time of two samples, and the initial rate is one sample a
# second.
echo 100 >/sys/bus/iio/devices/iio:device0/sampling_frequency
expect_not "the kernel refuses the chip's address to other programs" i2cget -y 1 0x18 0x0f
start_daemon_with_accelerometer --receiver /dev/ttyS0
start_watch app
wait_for 10 "the accelerometer works" accelerometer_is working
expect_equal "the driver that reads the chip" "$(status_value accelerometer.reading)" "a driver of the kernel"
i2c_order feel 0x18 0.5 -0.25 0.8
dwell 2
before=$(status_value accelerometer.samples)
dwell 5
expect_within "samples of the chip in 5 s" $(($(status_value accelerometer.samples) - before)) 20 260
expect_within "reported acceleration in x, in mg" "$(thousandths accelerometer.last_x_g)" 480 520
expect_within "reported acceleration in z, in mg" "$(thousandths accelerometer.last_z_g)" 780 820

echo 0x18 >/sys/bus/i2c/devices/i2c-1/delete_device
wait_for 60 "the daemon reads bursts of the chip's FIFO itself" status_is accelerometer.reading "bursts of its FIFO"
stop_watch app
stop_daemon
