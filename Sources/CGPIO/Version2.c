#define _GNU_SOURCE
#include <gpiod.h>

// Only libgpiod 1.x has bulks.
#ifndef GPIOD_LINE_BULK_MAX_LINES

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Search.h"

/// Edges that are taken from the kernel at once.
enum { EDGES_MAX = 16 };

struct cgpio_line {
  struct gpiod_line_request *request;
  struct gpiod_edge_event_buffer *buffer;
  uint32_t offset;
  int32_t use;
  int32_t is_debounced;
  /// Edges in the buffer, and the next of them.
  int32_t taken;
  int32_t next;
};

static int32_t matches(const char *path, const struct cgpio_claim *claim, uint32_t *offset) {
  struct gpiod_chip *chip = gpiod_chip_open(path);
  if (!chip) return -2;
  struct gpiod_chip_info *chip_info = gpiod_chip_get_info(chip);
  if (!chip_info) {
    gpiod_chip_close(chip);
    return -2;
  }
  int32_t count = -1;
  if (strcmp(gpiod_chip_info_get_label(chip_info), claim->chip_label) == 0) {
    count = 0;
    for (size_t index = 0; index < gpiod_chip_info_get_num_lines(chip_info); index++) {
      struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, index);
      const char *name = info ? gpiod_line_info_get_name(info) : NULL;
      if (name && strcmp(name, claim->line_name) == 0) {
        if (count == 0) *offset = index;
        count++;
      }
      gpiod_line_info_free(info);
    }
  }
  gpiod_chip_info_free(chip_info);
  gpiod_chip_close(chip);
  return count;
}

static enum gpiod_line_bias bias(const struct cgpio_claim *claim) {
  switch (claim->bias) {
  case CGPIO_BIAS_NONE: return GPIOD_LINE_BIAS_DISABLED;
  case CGPIO_BIAS_PULL_UP: return GPIOD_LINE_BIAS_PULL_UP;
  case CGPIO_BIAS_PULL_DOWN: return GPIOD_LINE_BIAS_PULL_DOWN;
  default: return GPIOD_LINE_BIAS_AS_IS;
  }
}

static struct gpiod_line_settings *settings(
  const struct cgpio_claim *claim, uint32_t debounce_microseconds) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  if (!settings) return NULL;
  gpiod_line_settings_set_active_low(settings, claim->is_active_low);
  gpiod_line_settings_set_bias(settings, bias(claim));
  if (claim->use == CGPIO_OUTPUT) {
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
    gpiod_line_settings_set_output_value(
      settings, claim->is_active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
  } else {
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
    gpiod_line_settings_set_debounce_period_us(settings, debounce_microseconds);
  }
  if (claim->use == CGPIO_EDGES) {
    gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
    gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC);
  }
  return settings;
}

static struct gpiod_line_request *request(
  struct gpiod_chip *chip, uint32_t offset, const struct cgpio_claim *claim,
  uint32_t debounce_microseconds) {
  unsigned int offsets[1] = {offset};
  struct gpiod_line_request *request = NULL;
  struct gpiod_line_settings *line_settings = settings(claim, debounce_microseconds);
  struct gpiod_line_config *lines = gpiod_line_config_new();
  struct gpiod_request_config *config = gpiod_request_config_new();
  if (line_settings && lines && config) {
    gpiod_request_config_set_consumer(config, claim->consumer);
    if (gpiod_line_config_add_line_settings(lines, offsets, 1, line_settings) == 0) {
      request = gpiod_chip_request_lines(chip, config, lines);
    }
  } else {
    errno = ENOMEM;
  }
  int code = errno;
  gpiod_request_config_free(config);
  gpiod_line_config_free(lines);
  gpiod_line_settings_free(line_settings);
  errno = code;
  return request;
}

/// The name that the line's holder gave.
static void find_holder(struct gpiod_chip *chip, uint32_t offset, char *holder, size_t size) {
  struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
  const char *consumer = info ? gpiod_line_info_get_consumer(info) : NULL;
  if (consumer) strncpy(holder, consumer, size - 1);
  gpiod_line_info_free(info);
}

struct cgpio_line *cgpio_open(const struct cgpio_claim *claim, struct cgpio_failure *failure) {
  struct cgpio_place place;
  struct cgpio_search search = {.claim = claim, .matches = matches};
  if (cgpio_find(&search, &place, failure) != 0) return NULL;
  struct gpiod_chip *chip = gpiod_chip_open(place.path);
  if (!chip) {
    cgpio_fail(failure, errno, place.path, NULL);
    return NULL;
  }
  struct cgpio_line *line = calloc(1, sizeof *line);
  if (!line) abort();
  line->offset = place.offset;
  line->use = claim->use;
  uint32_t debounce = claim->use == CGPIO_OUTPUT ? 0 : claim->debounce_microseconds;
  line->request = request(chip, place.offset, claim, debounce);
  line->is_debounced = debounce > 0;
  if (!line->request && debounce > 0 && (errno == EINVAL || errno == ENOTSUP)) {
    // A driver that can neither debounce nor be debounced: the caller does it by itself.
    line->request = request(chip, place.offset, claim, 0);
    line->is_debounced = 0;
  }
  if (line->request) line->buffer = gpiod_edge_event_buffer_new(EDGES_MAX);
  if (line->request && line->buffer) {
    int descriptor = gpiod_line_request_get_fd(line->request);
    if (fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0) {
      // The request has a descriptor of its own.
      gpiod_chip_close(chip);
      return line;
    }
  }
  int code = errno;
  char holder[64] = "";
  if (code == EBUSY) find_holder(chip, place.offset, holder, sizeof holder);
  cgpio_fail(failure, code, place.path, holder);
  gpiod_chip_close(chip);
  cgpio_release(line);
  return NULL;
}

void cgpio_release(struct cgpio_line *line) {
  if (line->buffer) gpiod_edge_event_buffer_free(line->buffer);
  if (line->request) gpiod_line_request_release(line->request);
  free(line);
}

int32_t cgpio_descriptor(const struct cgpio_line *line) {
  return gpiod_line_request_get_fd(line->request);
}

int32_t cgpio_is_debounced(const struct cgpio_line *line) {
  return line->is_debounced;
}

int32_t cgpio_set(struct cgpio_line *line, int32_t is_active) {
  return gpiod_line_request_set_value(
    line->request, line->offset, is_active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
}

int32_t cgpio_get(struct cgpio_line *line) {
  return gpiod_line_request_get_value(line->request, line->offset);
}

int32_t cgpio_next_edge(struct cgpio_line *line, int64_t *nanoseconds, int32_t *is_active) {
  if (line->use != CGPIO_EDGES) return 0;
  if (line->next >= line->taken) {
    line->next = 0;
    line->taken = gpiod_line_request_read_edge_events(line->request, line->buffer, EDGES_MAX);
    if (line->taken < 0) {
      line->taken = 0;
      return errno == EAGAIN ? 0 : -1;
    }
    if (line->taken == 0) return 0;
  }
  struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(line->buffer, line->next++);
  *nanoseconds = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
  *is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
  return 1;
}

const char *cgpio_library_version(void) {
  return gpiod_api_version();
}

#endif
