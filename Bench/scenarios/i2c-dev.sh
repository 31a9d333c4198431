# Registers behind i2c-dev are written and read back. An address without a chip is an error.

tool i2cget
i2c_stub 0x18
expect_equal "lines with the bus in the list of i2cdetect" "$(i2cdetect -l | grep -c "^i2c-$i2c_bus[[:space:]].*stub")" 1
i2cset -y "$i2c_bus" 0x18 0x20 0x57
expect_equal "register 0x20" "$(i2cget -y "$i2c_bus" 0x18 0x20)" 0x57
i2cset -y "$i2c_bus" 0x18 0x28 0x1234 w
expect_equal "registers 0x28 and 0x29" "$(i2cget -y "$i2c_bus" 0x18 0x28 w)" 0x1234
expect_not "no chip has the address 0x19" i2cget -y "$i2c_bus" 0x19 0x20
