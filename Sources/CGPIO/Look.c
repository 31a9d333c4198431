#define _GNU_SOURCE
#include <gpiod.h>

#include <stdio.h>
#include <stdlib.h>

#include "CGPIO.h"

// Inspects chips and lines without claiming a line. A chip is open only during its inspection.

static void copy(char *to, size_t size, const char *text) {
  snprintf(to, size, "%s", text ? text : "");
}

struct cgpio_view {
  struct gpiod_chip *chip;
};

struct cgpio_view *cgpio_view_open(const char *path, char *label, size_t size, uint32_t *count) {
  struct gpiod_chip *chip = gpiod_chip_open(path);
  if (!chip) return NULL;
// Only libgpiod 1.x has bulks.
#ifdef GPIOD_LINE_BULK_MAX_LINES
  copy(label, size, gpiod_chip_label(chip));
  *count = gpiod_chip_num_lines(chip);
#else
  struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
  if (!info) {
    gpiod_chip_close(chip);
    return NULL;
  }
  copy(label, size, gpiod_chip_info_get_label(info));
  *count = (uint32_t)gpiod_chip_info_get_num_lines(info);
  gpiod_chip_info_free(info);
#endif
  struct cgpio_view *view = malloc(sizeof *view);
  if (!view) abort();
  view->chip = chip;
  return view;
}

void cgpio_view_close(struct cgpio_view *view) {
  gpiod_chip_close(view->chip);
  free(view);
}

int32_t cgpio_view_line(struct cgpio_view *view, uint32_t offset, struct cgpio_line_view *line) {
#ifdef GPIOD_LINE_BULK_MAX_LINES
  struct gpiod_line *found = gpiod_chip_get_line(view->chip, offset);
  if (!found) return -1;
  copy(line->name, sizeof line->name, gpiod_line_name(found));
  copy(line->holder, sizeof line->holder, gpiod_line_consumer(found));
  line->is_used = gpiod_line_is_used(found);
#else
  struct gpiod_line_info *info = gpiod_chip_get_line_info(view->chip, offset);
  if (!info) return -1;
  copy(line->name, sizeof line->name, gpiod_line_info_get_name(info));
  copy(line->holder, sizeof line->holder, gpiod_line_info_get_consumer(info));
  line->is_used = gpiod_line_info_is_used(info);
  gpiod_line_info_free(info);
#endif
  return 0;
}
