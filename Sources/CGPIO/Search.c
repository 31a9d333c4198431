#define _GNU_SOURCE
#include "Search.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void copy(char *to, size_t size, const char *text) {
  snprintf(to, size, "%s", text ? text : "");
}

void cgpio_fail(struct cgpio_failure *failure, int32_t code, const char *path, const char *holder) {
  failure->code = code;
  copy(failure->chip_path, sizeof failure->chip_path, path);
  copy(failure->holder, sizeof failure->holder, holder);
  switch (code) {
  case EBUSY: failure->kind = CGPIO_BUSY; break;
  case EACCES:
  case EPERM: failure->kind = CGPIO_NOT_PERMITTED; break;
  // The chip was removed between the search and the claim.
  case ENOENT:
  case ENODEV:
  case ENXIO: failure->kind = CGPIO_CHIP_MISSING; break;
  default: failure->kind = CGPIO_FAILED; break;
  }
}

/// Whether a name in /dev is that of a chip's own device and not of a link to one: Raspberry Pi OS keeps
/// gpiochip4 as a link to gpiochip0, and a line must not be found twice.
static int is_chip(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 && S_ISCHR(status.st_mode);
}

int32_t cgpio_find(
  const struct cgpio_search *search, struct cgpio_place *place, struct cgpio_failure *failure) {
  memset(failure, 0, sizeof *failure);
  DIR *devices = opendir("/dev");
  if (!devices) {
    cgpio_fail(failure, errno, "/dev", NULL);
    return -1;
  }
  int32_t found = 0;
  int has_chip = 0;
  struct dirent *entry;
  while ((entry = readdir(devices))) {
    char path[64];
    uint32_t offset = 0;
    if (strncmp(entry->d_name, "gpiochip", 8) != 0) continue;
    if (snprintf(path, sizeof path, "/dev/%s", entry->d_name) >= (int)sizeof path) continue;
    if (!is_chip(path)) continue;
    int32_t count = search->matches(path, search->claim, &offset);
    // A chip that cannot be opened may have the line, so the error of opening is reported instead of "missing".
    if (count == -2 && failure->code == 0) cgpio_fail(failure, errno, path, NULL);
    if (count < 0) continue;
    has_chip = 1;
    if (count > 0 && found == 0) {
      copy(place->path, sizeof place->path, path);
      place->offset = offset;
    }
    found += count;
  }
  closedir(devices);
  if (found == 1) return 0;
  if (found > 1) {
    failure->kind = CGPIO_LINE_AMBIGUOUS;
    failure->code = 0;
    copy(failure->chip_path, sizeof failure->chip_path, place->path);
  } else if (has_chip) {
    failure->kind = CGPIO_LINE_MISSING;
    failure->code = 0;
  } else if (failure->code == 0) {
    failure->kind = CGPIO_CHIP_MISSING;
  }
  return -1;
}

int32_t cgpio_watch(const char *path) {
  return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}
