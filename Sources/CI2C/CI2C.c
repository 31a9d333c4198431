#include "CI2C.h"

#include <errno.h>
#include <i2c/smbus.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <sys/ioctl.h>

int ci2c_abilities(int descriptor, struct ci2c_abilities *abilities) {
  unsigned long functions = 0;
  if (ioctl(descriptor, I2C_FUNCS, &functions) != 0) return -1;
  unsigned long blocks = I2C_FUNC_SMBUS_READ_I2C_BLOCK | I2C_FUNC_SMBUS_WRITE_I2C_BLOCK;
  abilities->transfers = (functions & I2C_FUNC_I2C) != 0;
  abilities->bytes = (functions & I2C_FUNC_SMBUS_BYTE_DATA) == I2C_FUNC_SMBUS_BYTE_DATA;
  abilities->blocks = (functions & blocks) == blocks;
  return 0;
}

int ci2c_select(int descriptor, uint8_t address) {
  return ioctl(descriptor, I2C_SLAVE, (unsigned long)address);
}

size_t ci2c_registers_max(void) { return I2C_SMBUS_BLOCK_MAX; }

// libi2c returns the negative error number.
static int answer(int32_t result, int expected) {
  if (result < 0) {
    errno = -result;
    return -1;
  }
  if (expected > 0 && result != expected) {
    errno = EIO;
    return -1;
  }
  return 0;
}

int ci2c_read_registers(int descriptor, uint8_t first, uint8_t *bytes, size_t count) {
  if (count == 1) {
    int32_t value = i2c_smbus_read_byte_data(descriptor, first);
    if (value >= 0) bytes[0] = (uint8_t)value;
    return answer(value, 0);
  }
  return answer(
    i2c_smbus_read_i2c_block_data(descriptor, first, (uint8_t)count, bytes), (int)count);
}

int ci2c_write_registers(int descriptor, uint8_t first, const uint8_t *bytes, size_t count) {
  if (count == 1) return answer(i2c_smbus_write_byte_data(descriptor, first, bytes[0]), 0);
  return answer(i2c_smbus_write_i2c_block_data(descriptor, first, (uint8_t)count, bytes), 0);
}

int ci2c_transfer(int descriptor, uint8_t address, struct ci2c_part *parts, size_t count) {
  struct i2c_msg messages[I2C_RDWR_IOCTL_MAX_MSGS];
  if (count == 0 || count > I2C_RDWR_IOCTL_MAX_MSGS) {
    errno = EINVAL;
    return -1;
  }
  for (size_t index = 0; index < count; index++) {
    messages[index] = (struct i2c_msg){
      .addr = address,
      .flags = parts[index].is_read ? I2C_M_RD : 0,
      .len = parts[index].count,
      .buf = parts[index].bytes};
  }
  struct i2c_rdwr_ioctl_data transfer = {.msgs = messages, .nmsgs = (uint32_t)count};
  int done = ioctl(descriptor, I2C_RDWR, &transfer);
  // The call returns the number of parts that were carried out.
  if (done >= 0 && (size_t)done != count) {
    errno = EIO;
    return -1;
  }
  return done < 0 ? -1 : 0;
}
