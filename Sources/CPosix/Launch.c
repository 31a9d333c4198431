#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

// The C library's own calls would change all threads of the parent's list, and there is only this one. On 32-bit machines
// the plain numbers take 16-bit users.
#ifdef SYS_setresuid32
#define SET_USER SYS_setresuid32
#define SET_GROUP SYS_setresgid32
#define SET_GROUPS SYS_setgroups32
#else
#define SET_USER SYS_setresuid
#define SET_GROUP SYS_setresgid
#define SET_GROUPS SYS_setgroups
#endif

// Descriptors of the child behind its standard ones, both closed on exec.
enum { CHILD_GATE = 3, CHILD_FAILURE = 4, CHILD_FREE = 5, CHILD_HIGH = 16 };

// The failure, then the first bytes of the program: enough for the first line of a script, and in a program for the name of its
// loader. The parent reads all at once: it fits into a pipe's atomic write.
struct failure_report {
  struct cposix_launch_failure failure;
  unsigned char head[1024];
};

static void send_failure(const struct failure_report *report, size_t head_size) {
  if (write(CHILD_FAILURE, report, sizeof report->failure + head_size) < 0) _exit(126);
  _exit(127);
}

static void fail(int step) {
  struct failure_report report = {.failure = {.step = step, .error = errno}};
  send_failure(&report, 0);
}

// Finds the first directory of the path that the child cannot enter; the last part needs to exist only.
static void find_obstacle(const char *program, struct cposix_launch_failure *failure) {
  char path[4096];
  for (uint32_t length = 0; program[length] != 0 && length < sizeof path - 2; length++) {
    path[length] = program[length];
    // With the slash only a directory is found.
    path[length + 1] = program[length + 1];
    path[length + 2] = 0;
    int is_last = program[length + 1] == 0;
    if (!is_last && (length == 0 || program[length + 1] != '/')) continue;
    if (access(path, is_last ? F_OK : X_OK) != 0) {
      failure->blocked = length + 1;
      failure->blocked_error = errno;
      return;
    }
  }
}

// The child looks as its own user, which may see other files than the parent. System calls only.
static void fail_program(const char *program) {
  struct failure_report report = {.failure = {.step = CPOSIX_LAUNCH_PROGRAM, .error = errno}};
  struct cposix_launch_failure *failure = &report.failure;
  find_obstacle(program, failure);
  struct stat status;
  struct statfs system;
  if (stat(program, &status) == 0) failure->mode = status.st_mode;
  failure->is_executable = access(program, X_OK) == 0;
  failure->is_noexec = statfs(program, &system) == 0 && (system.f_flags & ST_NOEXEC) != 0;
  // A device or a pipe is not opened: that could have an effect.
  int file = S_ISREG(failure->mode) ? open(program, O_RDONLY | O_CLOEXEC) : -1;
  ssize_t count = file < 0 ? 0 : read(file, report.head, sizeof report.head);
  send_failure(&report, count < 0 ? 0 : (size_t)count);
}

static int drop_capabilities(void) {
  struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
  memset(none, 0, sizeof none);
  // A kernel without ambient capabilities has none to drop.
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0);
  return (int)syscall(SYS_capset, &head, none);
}

static void close_from(unsigned first) {
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  struct rlimit limit = {0};
  getrlimit(RLIMIT_NOFILE, &limit);
  rlim_t end = limit.rlim_cur > 65536 ? 65536 : limit.rlim_cur;
  for (rlim_t number = first; number < end; number++) close((int)number);
}

// Everything in here is safe between fork and exec: system calls only.
static void run_child(const struct cposix_launch_plan *plan, int null, int gate, int failure) {
  // First out of the way of the numbers that are given.
  null = fcntl(null, F_DUPFD_CLOEXEC, CHILD_HIGH);
  gate = fcntl(gate, F_DUPFD_CLOEXEC, CHILD_HIGH);
  failure = fcntl(failure, F_DUPFD_CLOEXEC, CHILD_HIGH);
  int output = fcntl(plan->output, F_DUPFD_CLOEXEC, CHILD_HIGH);
  if (null < 0 || gate < 0 || failure < 0 || output < 0) _exit(126);
  if (dup3(failure, CHILD_FAILURE, O_CLOEXEC) < 0) _exit(126);
  if (dup3(gate, CHILD_GATE, O_CLOEXEC) < 0) fail(CPOSIX_LAUNCH_DESCRIPTORS);
  if (dup2(null, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0) fail(CPOSIX_LAUNCH_DESCRIPTORS);
  close_from(CHILD_FREE);

  // The C library hides two signals from its own call. All of the kernel's structure is zero: SIG_DFL, no flags, no mask.
  unsigned char action[64] = {0};
  for (int number = 1; number < NSIG; number++) syscall(SYS_rt_sigaction, number, action, NULL, 8);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (setsid() < 0) fail(CPOSIX_LAUNCH_SESSION);

  // The parent opens the gate when it has noted this process; without a parent nothing is started.
  unsigned char byte;
  ssize_t count;
  do count = read(CHILD_GATE, &byte, 1);
  while (count < 0 && errno == EINTR);
  if (count != 1) _exit(126);

  umask(022);
  if (plan->changes_user) {
    if (syscall(SET_GROUPS, plan->group_count, plan->groups) != 0) fail(CPOSIX_LAUNCH_USER);
    if (syscall(SET_GROUP, plan->group, plan->group, plan->group) != 0) fail(CPOSIX_LAUNCH_USER);
    if (syscall(SET_USER, plan->user, plan->user, plan->user) != 0) fail(CPOSIX_LAUNCH_USER);
  }
  if (drop_capabilities() != 0) fail(CPOSIX_LAUNCH_USER);
  if (chdir(plan->directory) != 0 && chdir("/") != 0) fail(CPOSIX_LAUNCH_DIRECTORY);
  execve(plan->program, plan->arguments, plan->environment);
  fail_program(plan->program);
}

int cposix_launch(const struct cposix_launch_plan *plan, struct cposix_launched *launched) {
  int gate[2] = {-1, -1}, failure[2] = {-1, -1}, watch = -1;
  pid_t process = -1;
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0 || pipe2(gate, O_CLOEXEC) != 0 || pipe2(failure, O_CLOEXEC) != 0) goto failed;
  process = fork();
  if (process < 0) goto failed;
  if (process == 0) {
    close(gate[1]);
    run_child(plan, null, gate[0], failure[1]);
    _exit(126);
  }
  // The child waits, so that its number is its own.
  watch = cposix_process_watch(process);
  if (watch < 0 || fcntl(failure[0], F_SETFL, O_NONBLOCK) != 0) goto failed;
  close(null);
  close(gate[0]);
  close(failure[1]);
  launched->process = process;
  launched->watch = watch;
  launched->gate = gate[1];
  launched->failure = failure[0];
  return 0;

failed:;
  int error = errno;
  int opened[] = {null, gate[0], gate[1], failure[0], failure[1], watch};
  for (size_t index = 0; index < sizeof opened / sizeof *opened; index++)
    if (opened[index] >= 0) close(opened[index]);
  if (process > 0) {
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
  }
  errno = error;
  return -1;
}

int cposix_process_signal(int watch, int number) {
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
  return (int)syscall(SYS_pidfd_send_signal, watch, number, NULL, 0);
}

int cposix_process_reap(int32_t process, int *is_killed, int *value) {
  siginfo_t found;
  memset(&found, 0, sizeof found);
  if (waitid(P_PID, (id_t)process, &found, WEXITED | WNOHANG) != 0) return -1;
  if (found.si_pid == 0) return 0;
  *is_killed = found.si_code != CLD_EXITED;
  *value = found.si_status;
  return 1;
}

int cposix_may_change_user(void) {
  struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct found[_LINUX_CAPABILITY_U32S_3];
  memset(found, 0, sizeof found);
  if (syscall(SYS_capget, &head, found) != 0) return 0;
  uint32_t needed = (1U << CAP_SETUID) | (1U << CAP_SETGID);
  return (found[0].effective & needed) == needed;
}

int cposix_user_entry(
  const char *name, uint32_t number, struct cposix_user *user, char *text, size_t size
) {
  struct passwd entry, *found = NULL;
  int failure = name != NULL ? getpwnam_r(name, &entry, text, size, &found)
                             : getpwuid_r((uid_t)number, &entry, text, size, &found);
  if (found == NULL) {
    errno = failure;
    return -1;
  }
  user->user = entry.pw_uid;
  user->group = entry.pw_gid;
  user->name = entry.pw_name;
  user->home = entry.pw_dir;
  user->shell = entry.pw_shell;
  return 0;
}

ptrdiff_t cposix_user_groups(const char *name, uint32_t group, uint32_t *groups, size_t count) {
  int length = (int)count;
  if (getgrouplist(name, (gid_t)group, (gid_t *)groups, &length) < 0) {
    errno = ERANGE;
    return -1;
  }
  return length;
}
