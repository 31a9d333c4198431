// The first process of the bench's kernel: builds the guest's file system, runs one scenario, powers off.
//
// The root is the host's, read-only, with the installed tree over it and a tmpfs over both, so the files that a
// scenario writes end with its kernel. Only files in $BENCH_OUT reach the host. The process forks once and needs no
// other program, which keeps a boot at a fraction of a second.

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *out;

// A word of the kernel's command line that the kernel does not know is in the environment of this process.
static const char *wanted(const char *name) {
  const char *value = getenv(name);
  if (!value || !*value) {
    fprintf(stderr, "bench: the command line has no %s=\n", name);
    reboot(RB_POWER_OFF);
  }
  return value;
}

static void must(int result, const char *what) {
  if (result == 0) return;
  fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
  reboot(RB_POWER_OFF);
}

static void mount_at(const char *source, const char *target, const char *type, const char *options) {
  mkdir(target, 0755);
  must(mount(source, target, type, 0, options), target);
}

static void build_root(void) {
  mount_at("proc", "/proc", "proc", NULL);
  mount_at("tmpfs", "/mnt", "tmpfs", NULL);
  must(mkdir("/mnt/upper", 0755) | mkdir("/mnt/work", 0755) | mkdir("/mnt/root", 0755), "mkdir");
  // Mounted by itself, because an overlay refuses a layer that lies within another one.
  mount_at("host", "/mnt/installed", "hostfs", wanted("BENCH_ROOT"));
  const char *layers = "lowerdir=/mnt/installed:/,upperdir=/mnt/upper,workdir=/mnt/work";
  mount_at("overlay", "/mnt/root", "overlay", layers);
  must(mount("/dev", "/mnt/root/dev", NULL, MS_MOVE, NULL), "/dev");
  must(mount("/proc", "/mnt/root/proc", NULL, MS_MOVE, NULL), "/proc");
  must(chroot("/mnt/root") | chdir("/"), "chroot");
  must(mount("host", out, "hostfs", 0, out), out);
  // Only the host's root may read these, and the guest's root may be any user of the host. Scenarios add users, so
  // the guest makes its own.
  const char *private_files[] = {"/etc/.pwd.lock", "/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/gshadow-"};
  for (size_t i = 0; i < sizeof private_files / sizeof *private_files; i++)
    if (unlink(private_files[i]) && errno != ENOENT) perror(private_files[i]);
  mount_at("sysfs", "/sys", "sysfs", NULL);
  mount_at("cgroup2", "/sys/fs/cgroup", "cgroup2", NULL);
  mount_at("configfs", "/sys/kernel/config", "configfs", NULL);
  mount_at("debugfs", "/sys/kernel/debug", "debugfs", NULL);
  mount_at("tmpfs", "/run", "tmpfs", "mode=755");
  mount_at("devpts", "/dev/pts", "devpts", "ptmxmode=666,mode=620");
  mount_at("tmpfs", "/dev/shm", "tmpfs", "mode=1777");
  if (symlink("/proc/self/fd", "/dev/fd")) perror("/dev/fd");
}

static void raise_loopback(void) {
  struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP};
  int socket_number = socket(AF_INET, SOCK_DGRAM, 0);
  if (ioctl(socket_number, SIOCSIFFLAGS, &request)) perror("lo");
  close(socket_number);
}

static int open_in(const char *folder, const char *name, int flags) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  int descriptor = open(path, flags, 0644);
  if (descriptor < 0) fprintf(stderr, "bench: %s: %s\n", path, strerror(errno));
  return descriptor;
}

// The scenario's standard input is empty, and its output goes to $BENCH_OUT/log.
static void run_scenario(void) {
  char script[4096];
  snprintf(script, sizeof script, "%s/lib/run.sh", wanted("BENCH_HOME"));
  setsid();
  int log = open_in(out, "log", O_WRONLY | O_CREAT | O_APPEND);
  dup2(open("/dev/null", O_RDONLY), 0);
  dup2(log, 1);
  dup2(log, 2);
  execl("/bin/sh", "sh", script, NULL);
  _exit(127);
}

int main(void) {
  out = wanted("BENCH_OUT");
  build_root();
  raise_loopback();
  must(sethostname("bench", 5), "hostname");
  setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
  setenv("HOME", "/root", 1);
  unsetenv("TERM");
  pid_t scenario = fork();
  if (scenario == 0) run_scenario();
  int status = 0;
  for (pid_t ended; (ended = wait(&status)) != scenario;)
    if (ended < 0 && errno == ECHILD) break;
  char text[16];
  int length = snprintf(
    text, sizeof text, "%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  int verdict = open_in(out, "verdict", O_WRONLY | O_CREAT | O_TRUNC);
  if (write(verdict, text, length) != length) perror("verdict");
  sync();
  reboot(RB_POWER_OFF);
}
