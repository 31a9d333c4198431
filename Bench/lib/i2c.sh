# I2C buses. A stub keeps registers and nothing else; behind an adapter (i2c-uadap) stand simulated chips.

# i2c_stub ADDRESS: registers that keep what is written, on a bus of their own (SMBus transfers only).
i2c_stub() {
  kernel_module i2c-stub "chip_addr=$1"
  i2c_bus=$(i2c_bus_named "SMBus stub driver")
}

# i2c_bus_named TEXT: the number of the bus.
i2c_bus_named() {
  for name in /sys/bus/i2c/devices/i2c-*/name; do
    if text_in "$name" "$1"; then
      name=${name%/name}
      echo "${name##*i2c-}"
      return
    fi
  done
  fail "there is no bus $1"
}
