#pragma once

// Functions of plain numbers over libi2c and the kernel's i2c-dev, without kernel headers. Functions return -1 and set
// `errno` like the calls that they wrap.

#include <stddef.h>
#include <stdint.h>

/// The functions of an adapter.
struct ci2c_abilities {
  /// Combined and long transfers (I2C_RDWR).
  uint8_t transfers;
  /// SMBus reads and writes of one register.
  uint8_t bytes;
  /// SMBus reads and writes of up to 32 registers in a row.
  uint8_t blocks;
};

/// Reads the functions of the adapter.
int ci2c_abilities(int descriptor, struct ci2c_abilities *abilities);
/// Chooses the chip that register reads and writes go to; EBUSY when a driver of the kernel holds it.
int ci2c_select(int descriptor, uint8_t address);

/// The most registers that are read or written in a row.
size_t ci2c_registers_max(void);
/// Reads so many registers in a row, by libi2c.
int ci2c_read_registers(int descriptor, uint8_t first, uint8_t *bytes, size_t count);
/// Writes so many registers in a row, by libi2c.
int ci2c_write_registers(int descriptor, uint8_t first, const uint8_t *bytes, size_t count);

/// One direction of a combined transfer.
struct ci2c_part {
  uint8_t *bytes;
  uint16_t count;
  uint8_t is_read;
};

/// One transfer, with a repeated start between its parts; all bytes of the reads arrive or it fails.
int ci2c_transfer(int descriptor, uint8_t address, struct ci2c_part *parts, size_t count);
