#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

void cposix_describe_error(int code, char *text, size_t size) {
  char room[256];
  // The GNU form, which may answer a text of its own instead of filling the room.
  const char *words = strerror_r(code, room, sizeof room);
  strncpy(text, words, size - 1);
  text[size - 1] = 0;
}

static atomic_ullong closed_count;

/// A bit for each descriptor below 1,024 that was added to a group and is still open.
static atomic_ullong grouped[16];
static const int grouped_max = 1024;

void cposix_count_closed(void) { atomic_fetch_add(&closed_count, 1); }

uint64_t cposix_closed_count(void) { return atomic_load(&closed_count); }

void cposix_note_grouped(int descriptor) {
  if (descriptor >= 0 && descriptor < grouped_max)
    atomic_fetch_or(&grouped[descriptor / 64], 1ull << descriptor % 64);
}

void cposix_close(int descriptor) {
  unsigned long long bit = 1ull << descriptor % 64;
  // The bit is cleared before another file can have the number.
  if (descriptor >= grouped_max || atomic_fetch_and(&grouped[descriptor / 64], ~bit) & bit)
    cposix_count_closed();
  close(descriptor);
}

int cposix_set_timer_slack(uint64_t nanoseconds) {
  return prctl(PR_SET_TIMERSLACK, (unsigned long)nanoseconds, 0, 0, 0);
}

int cposix_clock_watch_arm(int descriptor) {
  // An unreachable time: only setting the clock ends the wait.
  struct itimerspec never = {.it_value = {.tv_sec = (time_t)(INT64_MAX / 1000000000 / 2)}};
  return timerfd_settime(
    descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

int cposix_clock_watch_open(void) {
  int descriptor = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
  if (descriptor < 0) return -1;
  if (cposix_clock_watch_arm(descriptor) == 0) return descriptor;
  int failure = errno;
  close(descriptor);
  errno = failure;
  return -1;
}

void cposix_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int cposix_event_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int cposix_clock_is_synchronized(void) {
  struct timex state = {.modes = 0};
  // Reading needs no rights. Where reading is forbidden, the clock's state is unknown.
  if (adjtimex(&state) < 0) return 1;
  return (state.status & STA_UNSYNC) == 0;
}

int64_t cposix_clock_error_max(void) {
  struct timex state = {.modes = 0};
  if (adjtimex(&state) < 0 || (state.status & STA_UNSYNC) != 0) return -1;
  return state.maxerror;
}

int cposix_file_system(const char *path, uint64_t *kind) {
  struct statfs status;
  if (statfs(path, &status) != 0) return -1;
  *kind = (uint64_t)status.f_type;
  return 0;
}

const char *cposix_environment(const char *name) { return secure_getenv(name); }

size_t cposix_memory_unused(void) {
#if __GLIBC_PREREQ(2, 33)
  return mallinfo2().fordblks;
#else
  return (size_t)(unsigned int)mallinfo().fordblks;
#endif
}

static void trim_stack(void) {
  pthread_attr_t attributes;
  void *lowest;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  int failure = pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  // A page for the frame of this function and of madvise, which calls nothing.
  uintptr_t end = ((uintptr_t)&attributes - page) & ~(page - 1);
  if (failure != 0 || end <= (uintptr_t)lowest) return;
  // The main thread's stack is not mapped to its end; the kernel reports that, and has trimmed what is mapped.
  madvise(lowest, end - (uintptr_t)lowest, MADV_DONTNEED);
}

void cposix_memory_trim(void) {
  trim_stack();
  malloc_trim(0);
}

void cposix_memory_share_arena(void) { mallopt(M_ARENA_MAX, 1); }

int cposix_directory_watch_open(const char *path) {
  int descriptor = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (descriptor < 0) return -1;
  uint32_t names = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;
  uint32_t itself = IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
  if (inotify_add_watch(descriptor, path, names | itself) >= 0) return descriptor;
  int failure = errno;
  close(descriptor);
  errno = failure;
  return -1;
}

int cposix_open_watch_open(const char *path) {
  int descriptor = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (descriptor < 0) return -1;
  if (inotify_add_watch(descriptor, path, IN_OPEN | IN_CLOSE) >= 0) return descriptor;
  int failure = errno;
  close(descriptor);
  errno = failure;
  return -1;
}

int cposix_directory_watch_drain(int descriptor) {
  _Alignas(struct inotify_event) char room[4096];
  uint32_t itself = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED;
  int has_gone = 0;
  ssize_t count;
  while ((count = read(descriptor, room, sizeof room)) > 0) {
    for (char *next = room; next < room + count;) {
      struct inotify_event *event = (struct inotify_event *)next;
      if (event->mask & itself) has_gone = 1;
      next += sizeof *event + event->len;
    }
  }
  return has_gone;
}

int cposix_pipe(int ends[2], int non_blocking) {
  return pipe2(ends, O_CLOEXEC | (non_blocking ? O_NONBLOCK : 0));
}

// The write end of the signals' pipe; a signal handler can access globals only.
static atomic_int signal_pipe = -1;
// Its read end, for calls that would otherwise wait forever.
static atomic_int signal_pipe_read = -1;

static void note_signal(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  int end = atomic_load(&signal_pipe);
  // A full pipe is already readable.
  if (end >= 0 && write(end, &byte, 1) < 0) errno = saved;
  errno = saved;
}

int cposix_signals_open(const int *numbers, size_t count) {
  int ends[2];
  if (cposix_pipe(ends, 1) != 0) return -1;
  int none = -1;
  if (!atomic_compare_exchange_strong(&signal_pipe, &none, ends[1])) {
    close(ends[0]);
    close(ends[1]);
    errno = EBUSY;
    return -1;
  }
  atomic_store(&signal_pipe_read, ends[0]);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (size_t index = 0; index < count; index++) sigaction(numbers[index], &action, NULL);
  return ends[0];
}

void cposix_signals_close(const int *numbers, size_t count) {
  for (size_t index = 0; index < count; index++) signal(numbers[index], SIG_DFL);
  atomic_store(&signal_pipe_read, -1);
  int end = atomic_exchange(&signal_pipe, -1);
  if (end >= 0) close(end);
}

int cposix_signals_descriptor(void) { return atomic_load(&signal_pipe_read); }

int cposix_signal_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void cposix_suspend(void) {
  struct sigaction plain, before;
  memset(&plain, 0, sizeof plain);
  plain.sa_handler = SIG_DFL;
  sigemptyset(&plain.sa_mask);
  sigaction(SIGTSTP, &plain, &before);
  raise(SIGTSTP);
  sigaction(SIGTSTP, &before, NULL);
}

void cposix_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

size_t cposix_local_path_max(void) { return sizeof(((struct sockaddr_un *)0)->sun_path) - 1; }

static int local_address(const char *path, struct sockaddr_un *address) {
  size_t length = strlen(path);
  if (length == 0 || length > cposix_local_path_max()) {
    errno = length == 0 ? ENOENT : ENAMETOOLONG;
    return -1;
  }
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, path, length);
  return 0;
}

int cposix_local_socket(void) {
  return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int cposix_local_stream_socket(void) {
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int cposix_local_bind(int descriptor, const char *path) {
  struct sockaddr_un address;
  if (local_address(path, &address) != 0) return -1;
  return bind(descriptor, (struct sockaddr *)&address, sizeof address);
}

int cposix_local_connect(int descriptor, const char *path, int64_t patience) {
  struct sockaddr_un address;
  if (local_address(path, &address) != 0) return -1;
  struct timeval wait = {.tv_sec = patience / 1000000000, .tv_usec = patience % 1000000000 / 1000};
  // A zero would wait without an end.
  if (patience <= 0 || (wait.tv_sec == 0 && wait.tv_usec == 0))
    return connect(descriptor, (struct sockaddr *)&address, sizeof address);
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait) != 0
      || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) != 0)
    return -1;
  int answer = connect(descriptor, (struct sockaddr *)&address, sizeof address);
  int failure = errno;
  fcntl(descriptor, F_SETFL, flags);
  errno = failure;
  return answer;
}

int cposix_local_is_abandoned(int descriptor) {
  char byte;
  if (recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0) return 0;
  // recv also returns 0 for an empty packet. Only a peer that has closed causes POLLHUP.
  struct pollfd look = {.fd = descriptor};
  return poll(&look, 1, 0) == 1 && (look.revents & POLLHUP) != 0;
}

int cposix_local_accept(int descriptor) {
  return accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

ptrdiff_t cposix_local_send(int descriptor, const void *bytes, size_t count) {
  return send(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ptrdiff_t cposix_local_receive(int descriptor, void *bytes, size_t count) {
  return recv(descriptor, bytes, count, MSG_TRUNC | MSG_DONTWAIT);
}

ptrdiff_t cposix_local_send_descriptor(int descriptor, const void *bytes, size_t count, int sent) {
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.room};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(head), &sent, sizeof sent);
  return sendmsg(descriptor, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ptrdiff_t cposix_local_receive_descriptor(int descriptor, void *bytes, size_t count, int *received) {
  // Room for a few: the kernel would close what does not fit, and a descriptor too many must not stay open.
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(4 * sizeof(int))];
  } control = {0};
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.room};
  *received = -1;
  ptrdiff_t length = recvmsg(descriptor, &message, MSG_TRUNC | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (length < 0) return length;
  for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head != NULL; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    size_t descriptors = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t index = 0; index < descriptors; index++) {
      int found;
      memcpy(&found, CMSG_DATA(head) + index * sizeof(int), sizeof found);
      if (*received < 0) *received = found;
      else close(found);
    }
  }
  return length;
}

int cposix_local_peer(int descriptor, uint32_t *user, int32_t *process) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
  *user = credentials.uid;
  *process = credentials.pid;
  return 0;
}

ptrdiff_t cposix_local_peer_groups(int descriptor, uint32_t *groups, size_t count) {
#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
  if (count == 0) {
    errno = ERANGE;
    return -1;
  }
  groups[0] = credentials.gid;
  size = (socklen_t)((count - 1) * sizeof *groups);
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, groups + 1, &size) != 0) return -1;
  return 1 + (ptrdiff_t)(size / sizeof *groups);
}

int cposix_local_peer_watch(int descriptor) {
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
  int watch = -1;
  socklen_t size = sizeof watch;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERPIDFD, &watch, &size) != 0) return -1;
  return watch;
}

int64_t cposix_user_number(const char *name) {
  struct passwd entry, *found = NULL;
  char text[4096];
  errno = 0;
  int failure = getpwnam_r(name, &entry, text, sizeof text, &found);
  if (failure != 0) errno = failure;
  return found == NULL ? -1 : (int64_t)entry.pw_uid;
}

int64_t cposix_local_user_number(const char *path, const char *name) {
  FILE *users = fopen(path, "re");
  if (users == NULL) return -1;
  struct passwd entry, *found = NULL;
  char text[4096];
  int64_t number = -1;
  while (number < 0 && fgetpwent_r(users, &entry, text, sizeof text, &found) == 0)
    if (strcmp(entry.pw_name, name) == 0) number = (int64_t)entry.pw_uid;
  fclose(users);
  return number;
}

int64_t cposix_group_number(const char *name) {
  struct group entry, *found = NULL;
  char text[4096];
  errno = 0;
  int failure = getgrnam_r(name, &entry, text, sizeof text, &found);
  if (failure != 0) errno = failure;
  return found == NULL ? -1 : (int64_t)entry.gr_gid;
}

int64_t cposix_ticks_per_second(void) {
  return sysconf(_SC_CLK_TCK);
}

int cposix_local_datagram(
  const char *name, const void *bytes, size_t count, int32_t milliseconds
) {
  struct sockaddr_un address;
  if (local_address(name, &address) != 0) return -1;
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
  if (name[0] == '@') address.sun_path[0] = 0;
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  struct timeval limit = {milliseconds / 1000, milliseconds % 1000 * 1000};
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  int flags = MSG_NOSIGNAL | (milliseconds > 0 ? 0 : MSG_DONTWAIT);
  ptrdiff_t sent = sendto(
    descriptor, bytes, count, flags, (struct sockaddr *)&address, size);
  int failure = errno;
  close(descriptor);
  errno = failure;
  return sent < 0 ? -1 : 0;
}

int cposix_process_watch(int32_t process) {
  return (int)syscall(SYS_pidfd_open, process, 0);
}
