#define _GNU_SOURCE
#include "CPosix.h"

#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

int cposix_terminal_window(int descriptor, uint16_t *columns, uint16_t *rows) {
  struct winsize size;
  memset(&size, 0, sizeof size);
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

int cposix_terminal_set_window(int descriptor, uint16_t columns, uint16_t rows) {
  struct winsize size;
  memset(&size, 0, sizeof size);
  size.ws_col = columns;
  size.ws_row = rows;
  return ioctl(descriptor, TIOCSWINSZ, &size);
}

int cposix_terminal_reads_lines(int descriptor) {
  struct termios2 settings;
  if (ioctl(descriptor, TCGETS2, &settings) != 0) return -1;
  return (settings.c_lflag & ICANON) != 0;
}

int cposix_terminal_flush_output(int descriptor) { return ioctl(descriptor, TCFLSH, TCOFLUSH); }

int cposix_terminal_make_console(int descriptor) {
  struct termios2 settings;
  if (ioctl(descriptor, TCGETS2, &settings) != 0) return -1;
  settings.c_iflag = ICRNL;
  settings.c_oflag = OPOST | ONLCR;
  settings.c_lflag = 0;
  settings.c_cflag &= ~(tcflag_t)(CSIZE | CSTOPB | PARENB | PARODD | CMSPAR | CRTSCTS | HUPCL);
  settings.c_cflag |= CS8 | CREAD | CLOCAL;
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  return ioctl(descriptor, TCSETS2, &settings);
}

int cposix_terminal_set_echo(int descriptor, int is_shown) {
  struct termios2 settings;
  if (ioctl(descriptor, TCGETS2, &settings) != 0) return -1;
  settings.c_lflag &= ~(tcflag_t)(ECHO | ECHONL);
  if (is_shown) settings.c_lflag |= ECHO;
  return ioctl(descriptor, TCSETSF2, &settings);
}

// The outer line adds the carriage returns.
static void leave_line_feeds(int terminal) {
  struct termios2 settings;
  if (ioctl(terminal, TCGETS2, &settings) != 0) return;
  settings.c_oflag &= ~(tcflag_t)ONLCR;
  ioctl(terminal, TCSETS2, &settings);
}

// Everything in here is safe between fork and exec: system calls only.
static void run_child(
  int terminal, int inherited, const char *program, char *const *arguments,
  char *const *environment
) {
  setsid();
  ioctl(terminal, TIOCSCTTY, 0);
  leave_line_feeds(terminal);
  for (int number = 0; number < 3; number++)
    if (dup2(terminal, number) < 0) _exit(126);
  if (terminal > 2 && terminal != inherited) close(terminal);
  // The copy has no flag that closes it at exec.
  if (inherited == 3) fcntl(3, F_SETFD, 0);
  if (inherited > 3 && dup2(inherited, 3) < 0) _exit(126);
  // A signal that is ignored would stay so.
  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(program, arguments, environment);
  _exit(127);
}

int cposix_terminal_child_start(
  const char *program, char *const *arguments, char *const *environment, uint16_t columns,
  uint16_t rows, int inherited, struct cposix_terminal_child *child
) {
  char name[128];
  int near = cposix_pseudo_terminal_open(name, sizeof name);
  if (near < 0) return -1;
  int far = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  int watch = -1;
  pid_t process = -1;
  if (far < 0) goto failed;
  if (columns != 0) cposix_terminal_set_window(near, columns, rows);
  process = fork();
  if (process < 0) goto failed;
  if (process == 0) run_child(far, inherited, program, arguments, environment);
  watch = cposix_process_watch(process);
  if (watch < 0) goto failed;
  close(far);
  child->process = process;
  child->watch = watch;
  child->terminal = near;
  return 0;

failed:;
  int error = errno;
  if (process > 0) {
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
  }
  if (far >= 0) close(far);
  close(near);
  errno = error;
  return -1;
}

int cposix_secret_file(const void *bytes, size_t count) {
  int file = memfd_create("secret", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (write(file, bytes, count) != (ssize_t)count) {
    int error = errno;
    close(file);
    errno = error == 0 ? EIO : error;
    return -1;
  }
  lseek(file, 0, SEEK_SET);
  return file;
}
