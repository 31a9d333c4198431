#pragma once

// One GPIO line by the label of its chip and its own name, over libgpiod 1.6 or 2.x, whichever this was compiled
// with. Chips are never found by number: the kernel gives numbers out in the order in which drivers start.

#include <stddef.h>
#include <stdint.h>

/// The requested use of a line.
struct cgpio_claim {
  const char *chip_label;
  const char *line_name;
  const char *consumer;
  /// One of `CGPIO_INPUT` and the like.
  int32_t use;
  /// The first level of an output, 1 active.
  int32_t is_active;
  int32_t is_active_low;
  /// One of `CGPIO_BIAS_AS_IS` and the like.
  int32_t bias;
  /// The time a level must last before an edge is reported; for kernels and libraries that support it.
  uint32_t debounce_microseconds;
};

enum { CGPIO_INPUT = 0, CGPIO_EDGES = 1, CGPIO_OUTPUT = 2 };

enum {
  CGPIO_BIAS_AS_IS = 0,
  CGPIO_BIAS_NONE = 1,
  CGPIO_BIAS_PULL_UP = 2,
  CGPIO_BIAS_PULL_DOWN = 3
};

/// The reason why a line is unavailable.
enum {
  CGPIO_CHIP_MISSING = 1,
  CGPIO_LINE_MISSING = 2,
  /// More than one line has that name.
  CGPIO_LINE_AMBIGUOUS = 3,
  CGPIO_BUSY = 4,
  CGPIO_NOT_PERMITTED = 5,
  CGPIO_FAILED = 6
};

/// The description of a failed claim.
struct cgpio_failure {
  int32_t kind;
  /// The error number, as in `<errno.h>`; 0 without a system error.
  int32_t code;
  /// The device of the chip that was found, or of the chip that could not be opened.
  char chip_path[64];
  /// The name that the holder of a busy line gave; empty when unknown.
  char holder[64];
};

/// A claimed line.
struct cgpio_line;

/// Claims a line; NULL on failure, with the reason in `failure`.
struct cgpio_line *cgpio_open(const struct cgpio_claim *claim, struct cgpio_failure *failure);
/// Releases the line.
void cgpio_release(struct cgpio_line *line);

/// The descriptor to poll: readable when there are edges; hung up when the chip was removed, for every use.
int32_t cgpio_descriptor(const struct cgpio_line *line);
/// 1 when the kernel debounces the line.
int32_t cgpio_is_debounced(const struct cgpio_line *line);
/// Drives an output; 0, or -1 with `errno`, which is ENODEV when the chip was removed.
int32_t cgpio_set(struct cgpio_line *line, int32_t is_active);
/// The measured level of the line, 1 active; -1 with `errno`.
int32_t cgpio_get(struct cgpio_line *line);
/// Takes the next edge; 1 when there was one, 0 when there is none, -1 with `errno`. Never blocks.
///
/// `nanoseconds` is the kernel's time stamp: of CLOCK_MONOTONIC, and before Linux 5.7 of CLOCK_REALTIME.
int32_t cgpio_next_edge(struct cgpio_line *line, int64_t *nanoseconds, int32_t *is_active);

/// A chip that is inspected.
struct cgpio_view;

/// The public state of a line, which another program may hold.
struct cgpio_line_view {
  /// Empty when the line has no name.
  char name[64];
  /// The name that the line's holder gave; may be empty although the line is held.
  char holder[64];
  int32_t is_used;
};

/// Opens a chip's device to inspect its lines; NULL with `errno`.
struct cgpio_view *cgpio_view_open(const char *path, char *label, size_t size, uint32_t *count);
void cgpio_view_close(struct cgpio_view *view);
/// Inspects a line without claiming it; 0, or -1 with `errno`.
int32_t cgpio_view_line(struct cgpio_view *view, uint32_t offset, struct cgpio_line_view *line);

/// The version of libgpiod that runs, such as "2.1.3".
const char *cgpio_library_version(void);
