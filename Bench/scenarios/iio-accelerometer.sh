# A kernel driver that takes an accelerometer offers it below /sys/bus/iio. The accelerometer's address is then busy for programs.

tool i2cget
i2c_stub 0x18
# The identity of a LIS3DH (data sheet, WHO_AM_I), and x = 256 * 16, y = -256 * 16, z = 0 from register 0x28 on. To read successive
# registers, the driver sets bit 7 of the first register number (data sheet, 6.1.1). For the stub this is the number of another register.
for register in 0x0F:0x33 0xA8:0x00 0xA9:0x10 0xAA:0x00 0xAB:0xF0 0xAC:0x00 0xAD:0x00; do
  i2cset -y "$i2c_bus" 0x18 "${register%:*}" "${register#*:}"
done
kernel_module st_accel_i2c
bus=/sys/bus/i2c/devices/i2c-$i2c_bus
echo lis3dh 0x18 >"$bus/new_device"
iio=/sys/bus/iio/devices/iio:device0
wait_for 2 "the accelerometer is an IIO device" test -e "$iio/name"
expect_equal "the name of the IIO device" "$(cat "$iio/name")" lis3dh
expect_equal "raw values of the axes" "$(cat "$iio/in_accel_x_raw" "$iio/in_accel_y_raw" "$iio/in_accel_z_raw" | tr '\n' ' ')" "256 -256 0 "
if i2cget -y "$i2c_bus" 0x18 0x0F 2>/run/refusal; then fail "a program has read the busy address"; fi
expect "the error message reports that the address is busy" text_in /run/refusal "busy"

echo 0x18 >"$bus/delete_device"
expect_equal "identity of the chip when its address is free again" "$(i2cget -y "$i2c_bus" 0x18 0x0F)" 0x33
for driver in adxl345_i2c inv-mpu6050-i2c; do kernel_module "$driver"; done
