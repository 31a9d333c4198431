#define _GNU_SOURCE
#include "CPosix.h"

#include <poll.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <time.h>

_Static_assert(
  sizeof(struct cposix_poll_entry) == sizeof(struct pollfd)
    && offsetof(struct cposix_poll_entry, happened) == offsetof(struct pollfd, revents),
  "an entry of a poll set is not laid out like pollfd");

int cposix_poll(struct cposix_poll_entry *entries, size_t count, int64_t timeout_ns) {
  struct timespec timeout = {
    .tv_sec = (time_t)(timeout_ns / 1000000000), .tv_nsec = (long)(timeout_ns % 1000000000)};
  return ppoll((struct pollfd *)entries, count, timeout_ns < 0 ? NULL : &timeout, NULL);
}

int cposix_poll_group_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

_Static_assert(
  EPOLLIN == POLLIN && EPOLLOUT == POLLOUT && EPOLLPRI == POLLPRI,
  "the events of a poll group are not those of a poll entry");

int cposix_poll_group_add(int group, int descriptor, int16_t events) {
  struct epoll_event wanted = {.events = (uint16_t)events, .data.fd = descriptor};
  cposix_note_grouped(descriptor);
  return epoll_ctl(group, EPOLL_CTL_ADD, descriptor, &wanted);
}

int cposix_poll_group_ready(int group, int32_t *numbers, size_t count) {
  struct epoll_event ready[16];
  int found = epoll_wait(group, ready, count < 16 ? (int)count : 16, 0);
  for (int index = 0; index < found; index++) numbers[index] = ready[index].data.fd;
  return found;
}

int cposix_poll_group_wait(int group, int64_t timeout_ns) {
  struct timespec timeout = {
    .tv_sec = (time_t)(timeout_ns / 1000000000), .tv_nsec = (long)(timeout_ns % 1000000000)};
  struct epoll_event ready;
  return epoll_pwait2(group, &ready, 1, &timeout, NULL);
}
