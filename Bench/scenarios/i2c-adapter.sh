# A chip behind the adapter answers through i2c-dev. Each simulated fault of the bus gives the error that programs get from a real adapter.

tool i2ctransfer
i2c_chips lis3dh=0x18 adxl345=0x53
identity() { i2cget -y "$i2c_bus" "$1" "$2" 2>/run/refusal; }
expect_equal "identity of the chip at 0x18" "$(identity 0x18 0x0F)" 0x33
expect_equal "identity of the chip at 0x53" "$(identity 0x53 0x00)" 0xe5
i2cset -y "$i2c_bus" 0x18 0x20 0x57
expect_equal "register 0x20 after the write" "$(identity 0x18 0x20)" 0x57
# With bit 7 of the register number, the chip continues with the next register by itself.
expect_equal "registers 0x1E to 0x21 in one transfer" "$(i2ctransfer -y "$i2c_bus" w1@0x18 0x9E r4)" "0x10 0x00 0x57 0x00"
expect_not "no chip has the address 0x19" identity 0x19 0x0F

refusal_of() { i2ctransfer -y "$i2c_bus" "w1@$1" 0x0F r1 2>&1 >/dev/null | sed 's/.*: //'; }
i2c_order nak 1 0x18
expect_equal "error of a transfer that is not acknowledged" "$(refusal_of 0x18)" "Remote I/O error"
expect_equal "identity of the chip in the next transfer" "$(identity 0x18 0x0F)" 0x33
i2c_order lost 1
expect_equal "error of a transfer that is lost to another master" "$(refusal_of 0x18)" "Resource temporarily unavailable"
i2c_order stretch 1
look_at_clock
before=$clock
expect_equal "error of a transfer with a clock stretched too far" "$(refusal_of 0x18)" "Connection timed out"
look_at_clock
expect_within "the adapter's time-out, in hundredths of a second" $((clock - before)) 100 110
i2c_order glitch 1
expect_equal "identity of the chip with a wrong bit" "$(identity 0x18 0x0F)" 0x23
i2c_order stick
expect_equal "error of a transfer on the stuck bus" "$(refusal_of 0x18)" "Connection timed out"
i2c_order release
expect_equal "identity of the chip when the bus is free again" "$(identity 0x18 0x0F)" 0x33

i2c_order unplug 0x18
expect_not "the unplugged chip does not answer" identity 0x18 0x0F
i2c_order plug 0x18
expect_equal "register 0x20 after the chip is plugged in again" "$(identity 0x18 0x20)" 0x07
i2c_order identity 0x18 0x11
expect_equal "identity of the chip after the order for another identity" "$(identity 0x18 0x0F)" 0x11
