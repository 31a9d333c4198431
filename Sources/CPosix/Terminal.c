#define _GNU_SOURCE
#include "CPosix.h"

// The kernel's terminal structures, not the C library's: only they know arbitrary speeds.
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

_Static_assert(
  sizeof(struct termios2) <= sizeof(struct cposix_terminal_settings),
  "the kernel's termios2 has outgrown the room kept for it");

int cposix_pseudo_terminal_open(char *name, size_t size) {
  int near = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (near < 0) return -1;
  int failure = 0;
  if (grantpt(near) != 0 || unlockpt(near) != 0) failure = errno;
  else failure = ptsname_r(near, name, size);
  if (failure != 0) {
    close(near);
    errno = failure;
    return -1;
  }
  return near;
}

int cposix_terminal_get(int descriptor, struct cposix_terminal_settings *settings) {
  memset(settings, 0, sizeof *settings);
  return ioctl(descriptor, TCGETS2, settings);
}

int cposix_terminal_set(int descriptor, const struct cposix_terminal_settings *settings) {
  return ioctl(descriptor, TCSETS2, settings);
}

static void set_speed(struct termios2 *settings, uint32_t speed) {
  settings->c_cflag &= ~(tcflag_t)(CBAUD | (CBAUD << IBSHIFT));
  settings->c_cflag |= BOTHER | (BOTHER << IBSHIFT);
  settings->c_ispeed = speed;
  settings->c_ospeed = speed;
}

int cposix_terminal_make_raw(int descriptor, uint32_t speed) {
  struct termios2 settings;
  if (ioctl(descriptor, TCGETS2, &settings) != 0) return -1;
  settings.c_iflag = 0;
  settings.c_oflag = 0;
  settings.c_lflag = 0;
  settings.c_cflag &= ~(tcflag_t)(CSIZE | CSTOPB | PARENB | PARODD | CMSPAR | CRTSCTS | HUPCL);
  settings.c_cflag |= CS8 | CREAD | CLOCAL;
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  set_speed(&settings, speed);
  return ioctl(descriptor, TCSETS2, &settings);
}

int cposix_terminal_set_speed(int descriptor, uint32_t speed) {
  struct termios2 settings;
  if (ioctl(descriptor, TCGETS2, &settings) != 0) return -1;
  set_speed(&settings, speed);
  return ioctl(descriptor, TCSETS2, &settings);
}

int64_t cposix_terminal_speed(int descriptor) {
  struct termios2 settings;
  if (ioctl(descriptor, TCGETS2, &settings) != 0) return -1;
  return settings.c_ospeed;
}

int cposix_terminal_is_raw(int descriptor) {
  struct termios2 settings;
  if (ioctl(descriptor, TCGETS2, &settings) != 0) return 0;
  tcflag_t character = CSIZE | CSTOPB | PARENB | CRTSCTS | CREAD | CLOCAL;
  return settings.c_iflag == 0 && settings.c_oflag == 0
    && (settings.c_lflag & (ICANON | ECHO | ISIG | IEXTEN)) == 0
    && (settings.c_cflag & character) == (CS8 | CREAD | CLOCAL);
}

int cposix_terminal_set_exclusive(int descriptor, int is_exclusive) {
  return ioctl(descriptor, is_exclusive ? TIOCEXCL : TIOCNXCL);
}

int cposix_terminal_input_queued(int descriptor) {
  int count = 0;
  return ioctl(descriptor, FIONREAD, &count) != 0 ? -1 : count;
}

int cposix_terminal_output_queued(int descriptor) {
  int count = 0;
  return ioctl(descriptor, TIOCOUTQ, &count) == 0 ? count : -1;
}

int cposix_terminal_transmitter_empty(int descriptor) {
  unsigned int status = 0;
  if (ioctl(descriptor, TIOCSERGETLSR, &status) != 0) return -1;
  return (status & TIOCSER_TEMT) != 0;
}

int cposix_terminal_flush_input(int descriptor) { return ioctl(descriptor, TCFLSH, TCIFLUSH); }

int cposix_terminal_errors(int descriptor, struct cposix_line_errors *errors) {
  struct serial_icounter_struct counters;
  memset(&counters, 0, sizeof counters);
  if (ioctl(descriptor, TIOCGICOUNT, &counters) != 0) return -1;
  errors->framing = (uint32_t)counters.frame;
  errors->overrun = (uint32_t)counters.overrun;
  errors->parity = (uint32_t)counters.parity;
  errors->broken = (uint32_t)counters.brk;
  errors->buffer_overrun = (uint32_t)counters.buf_overrun;
  return 0;
}

int cposix_device_number(int descriptor, uint32_t *major_number, uint32_t *minor_number) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return -1;
  *major_number = major(status.st_rdev);
  *minor_number = minor(status.st_rdev);
  return 0;
}
