# A kernel driver that takes an accelerometer offers it below /sys/bus/iio, and its address is busy for programs.

tool i2cget
i2c_stub 0x18
# The identity of a LIS3DH (data sheet, WHO_AM_I), and x = 256 * 16, y = -256 * 16, z = 0 from register 0x28 on. To
# read registers in a row bit 7 of the first one's number is set (data sheet, 6.1.1), which a stub takes for another number.
for register in 0x0F:0x33 0xA8:0x00 0xA9:0x10 0xAA:0x00 0xAB:0xF0 0xAC:0x00 0xAD:0x00; do
  i2cset -y "$i2c_bus" 0x18 "${register%:*}" "${register#*:}"
done
kernel_module st_accel_i2c
bus=/sys/bus/i2c/devices/i2c-$i2c_bus
echo lis3dh 0x18 >"$bus/new_device"
iio=/sys/bus/iio/devices/iio:device0
wait_for 2 "it is an IIO device" test -e "$iio/name"
expect_equal "its name" "$(cat "$iio/name")" lis3dh
expect_equal "its axes" "$(cat "$iio/in_accel_x_raw" "$iio/in_accel_y_raw" "$iio/in_accel_z_raw" | tr '\n' ' ')" "256 -256 0 "
if i2cget -y "$i2c_bus" 0x18 0x0F 2>/run/refusal; then fail "the address is busy, and it was read"; fi
expect "the refusal says why" text_in /run/refusal "busy"

echo 0x18 >"$bus/delete_device"
expect_equal "free again, it answers" "$(i2cget -y "$i2c_bus" 0x18 0x0F)" 0x33
for driver in adxl345_i2c inv-mpu6050-i2c; do kernel_module "$driver"; done
