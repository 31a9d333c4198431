#pragma once

// Code shared by both versions of libgpiod: the search for a line, and the watch over its chip.

#include "CGPIO.h"

/// Searches for a line on every chip of this label; calls `matches` for each of the chip's devices.
///
/// `matches` answers how many lines of the chip have the name and puts the first one's offset into `offset`, or -1 when
/// the chip has another label, or -2 with `errno` when it cannot be looked at.
struct cgpio_search {
  const struct cgpio_claim *claim;
  int32_t (*matches)(const char *path, const struct cgpio_claim *claim, uint32_t *offset);
};

/// Where a line was found.
struct cgpio_place {
  char path[64];
  uint32_t offset;
};

/// 0 when the line was found, -1 when not, with `failure` filled in.
int32_t cgpio_find(
  const struct cgpio_search *search, struct cgpio_place *place, struct cgpio_failure *failure);

/// Fills in a failure from an errno of the kernel.
void cgpio_fail(struct cgpio_failure *failure, int32_t code, const char *path, const char *holder);

/// Opens a chip's device only to detect its removal; -1 with `errno`.
int32_t cgpio_watch(const char *path);
