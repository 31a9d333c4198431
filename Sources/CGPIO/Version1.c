#define _GNU_SOURCE
#include <gpiod.h>

// Only libgpiod 1.x has bulks.
#ifdef GPIOD_LINE_BULK_MAX_LINES

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Search.h"

struct cgpio_line {
  struct gpiod_chip *chip;
  struct gpiod_line *line;
  /// The chip's device, opened once more: handles of lines cannot be polled in the first version of the
  /// kernel's interface, chips can.
  int32_t watch;
  int32_t use;
};

static int32_t matches(const char *path, const struct cgpio_claim *claim, uint32_t *offset) {
  struct gpiod_chip *chip = gpiod_chip_open(path);
  if (!chip) return -2;
  int32_t count = -1;
  if (strcmp(gpiod_chip_label(chip), claim->chip_label) == 0) {
    count = 0;
    for (unsigned int index = 0; index < gpiod_chip_num_lines(chip); index++) {
      struct gpiod_line *line = gpiod_chip_get_line(chip, index);
      const char *name = line ? gpiod_line_name(line) : NULL;
      if (!name || strcmp(name, claim->line_name) != 0) continue;
      if (count == 0) *offset = index;
      count++;
    }
  }
  gpiod_chip_close(chip);
  return count;
}

static int flags(const struct cgpio_claim *claim) {
  int flags = claim->is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
  switch (claim->bias) {
  case CGPIO_BIAS_NONE: return flags | GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
  case CGPIO_BIAS_PULL_UP: return flags | GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
  case CGPIO_BIAS_PULL_DOWN: return flags | GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
  default: return flags;
  }
}

static int request(struct cgpio_line *line, const struct cgpio_claim *claim) {
  switch (claim->use) {
  case CGPIO_OUTPUT:
    return gpiod_line_request_output_flags(
      line->line, claim->consumer, flags(claim), claim->is_active);
  case CGPIO_EDGES: {
    int answer =
      gpiod_line_request_both_edges_events_flags(line->line, claim->consumer, flags(claim));
    if (answer != 0) return answer;
    int descriptor = gpiod_line_event_get_fd(line->line);
    return descriptor < 0 ? -1 : fcntl(descriptor, F_SETFL, O_NONBLOCK);
  }
  default: return gpiod_line_request_input_flags(line->line, claim->consumer, flags(claim));
  }
}

struct cgpio_line *cgpio_open(const struct cgpio_claim *claim, struct cgpio_failure *failure) {
  struct cgpio_place place;
  struct cgpio_search search = {.claim = claim, .matches = matches};
  if (cgpio_find(&search, &place, failure) != 0) return NULL;
  struct cgpio_line *line = calloc(1, sizeof *line);
  if (!line) abort();
  line->watch = -1;
  line->use = claim->use;
  line->chip = gpiod_chip_open(place.path);
  if (line->chip) line->line = gpiod_chip_get_line(line->chip, place.offset);
  if (line->line && request(line, claim) == 0) {
    line->watch = cgpio_watch(place.path);
    if (line->watch >= 0) return line;
  }
  int code = errno;
  char holder[64] = "";
  if (line->line && code == EBUSY && gpiod_line_update(line->line) == 0) {
    const char *consumer = gpiod_line_consumer(line->line);
    if (consumer) strncpy(holder, consumer, sizeof holder - 1);
  }
  cgpio_fail(failure, code, place.path, holder);
  cgpio_release(line);
  return NULL;
}

void cgpio_release(struct cgpio_line *line) {
  if (line->watch >= 0) close(line->watch);
  // Closing the chip releases its lines.
  if (line->chip) gpiod_chip_close(line->chip);
  free(line);
}

int32_t cgpio_descriptor(const struct cgpio_line *line) {
  return line->use == CGPIO_EDGES ? gpiod_line_event_get_fd(line->line) : line->watch;
}

int32_t cgpio_is_debounced(const struct cgpio_line *line) {
  (void)line;
  return 0;
}

int32_t cgpio_set(struct cgpio_line *line, int32_t is_active) {
  return gpiod_line_set_value(line->line, is_active);
}

int32_t cgpio_get(struct cgpio_line *line) {
  return gpiod_line_get_value(line->line);
}

int32_t cgpio_next_edge(struct cgpio_line *line, int64_t *nanoseconds, int32_t *is_active) {
  struct gpiod_line_event event;
  if (line->use != CGPIO_EDGES) return 0;
  if (gpiod_line_event_read(line->line, &event) != 0) return errno == EAGAIN ? 0 : -1;
  *nanoseconds = (int64_t)event.ts.tv_sec * 1000000000 + event.ts.tv_nsec;
  *is_active = event.event_type == GPIOD_LINE_EVENT_RISING_EDGE;
  return 1;
}

const char *cgpio_library_version(void) {
  return gpiod_version_string();
}

#endif
