// Starts a service as the service manager does, starts it again when it ends, and ends it on SIGTERM.
//
//   supervise NOTIFY_SOCKET WATCHDOG_SECONDS RESTART_SECONDS JOURNAL PROGRAM [ARGUMENT...]
//
// Every event becomes a line "SECONDS WORD [NUMBER]" of JOURNAL: "started PID", "ready", "alive", "patience SECONDS", "late",
// "ended STATUS", "stopping". A service that does not send "WATCHDOG=1" in time is killed as systemd does it: SIGABRT, SIGCONT for a
// stopped process, and SIGKILL if the process still runs. Zero seconds mean no watchdog. "WATCHDOG_USEC=NUMBER" changes
// WATCHDOG_SECONDS for the running process (sd_notify(3)).

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static FILE *journal;
static double watchdog_seconds, patience;
static const char *socket_name;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void note(const char *word, long number) {
  fprintf(journal, "%.3f %s %ld\n", now(), word, number);
  fflush(journal);
}

static int must(int result, const char *what) {
  if (result >= 0) return result;
  fprintf(stderr, "supervise: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int listen_at(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(name) >= sizeof address.sun_path) exit(64);
  strcpy(address.sun_path, name);
  int number = must(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), "socket");
  unlink(name);
  must(bind(number, (struct sockaddr *)&address, sizeof address), name);
  // The service runs as another user.
  must(chmod(name, 0666), name);
  return number;
}

static pid_t start(char **command) {
  patience = watchdog_seconds;
  pid_t process = must(fork(), "fork");
  if (process > 0) {
    note("started", process);
    return process;
  }
  char text[32];
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setenv("NOTIFY_SOCKET", socket_name, 1);
  if (watchdog_seconds > 0) {
    snprintf(text, sizeof text, "%.0f", watchdog_seconds * 1e6);
    setenv("WATCHDOG_USEC", text, 1);
    snprintf(text, sizeof text, "%d", getpid());
    setenv("WATCHDOG_PID", text, 1);
  }
  execvp(command[0], command);
  fprintf(stderr, "supervise: %s: %s\n", command[0], strerror(errno));
  _exit(127);
}

// Reads the messages of the service; returns whether one of them was a watchdog signal.
static int hear(int number) {
  char text[4096];
  int is_alive = 0;
  for (ssize_t length; (length = recv(number, text, sizeof text - 1, 0)) >= 0;) {
    text[length] = 0;
    for (char *rest, *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
      if (!strcmp(line, "READY=1")) note("ready", 0);
      else if (!strcmp(line, "WATCHDOG=1")) note("alive", 0);
      else if (!strcmp(line, "STOPPING=1")) note("stopping", 0);
      else if (!strncmp(line, "WATCHDOG_USEC=", 14)) note("patience", patience = atof(line + 14) / 1e6);
      else continue;
      is_alive = 1;
    }
  }
  return is_alive;
}

int main(int count, char **words) {
  if (count < 6) return 64;
  socket_name = words[1];
  watchdog_seconds = atof(words[2]);
  double restart_seconds = atof(words[3]);
  journal = fopen(words[4], "ae");
  if (!journal) must(-1, words[4]);

  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGCHLD);
  sigaddset(&watched, SIGTERM);
  sigprocmask(SIG_BLOCK, &watched, NULL);
  int signals = must(signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK), "signalfd");
  int heard = listen_at(socket_name);
  pid_t process = start(words + 5);
  double last_sign = now(), restart_at = 0;
  int is_ending = 0, was_killed = 0;

  for (;;) {
    double deadline = process ? last_sign + patience + (was_killed ? 5 : 0) : restart_at;
    int is_timed = process ? watchdog_seconds > 0 && !is_ending : 1;
    double rest = deadline - now();
    struct pollfd both[] = {{.fd = heard, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    poll(both, 2, is_timed ? (rest > 0 ? (int)(rest * 1000) + 1 : 0) : -1);

    if (hear(heard)) last_sign = now();
    struct signalfd_siginfo signal;
    while (read(signals, &signal, sizeof signal) == sizeof signal)
      if (signal.ssi_signo == SIGTERM) {
        is_ending = 1;
        if (process) kill(process, SIGTERM);
      }
    int status;
    if (process && waitpid(process, &status, WNOHANG) == process) {
      note("ended", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
      process = 0;
      was_killed = 0;
      restart_at = now() + restart_seconds;
    }
    if (is_ending && !process) return 0;
    if (is_ending) continue;
    if (!process && now() >= restart_at) {
      process = start(words + 5);
      last_sign = now();
    } else if (process && watchdog_seconds > 0 && now() >= deadline) {
      note("late", process);
      kill(process, was_killed ? SIGKILL : SIGABRT);
      if (!was_killed) kill(process, SIGCONT);
      was_killed = 1;
    }
  }
}
