// Fetches the code of a wake-up before it runs.
#include "CPosix.h"

#include <stddef.h>

// The linker puts these functions before and behind the code that a fifth of the epochs or more run through (Perf/hot_functions.py).
__attribute__((section(".text.cposix_hot_begin"), used)) void cposix_hot_begin(void) {}
__attribute__((section(".text.cposix_hot_end"), used)) void cposix_hot_end(void) {}

/// A longer part is not the code of one epoch: the program was linked without the list of functions.
static const ptrdiff_t size_max = 256 * 1024;
static const ptrdiff_t line_size = 64;

void cposix_prefetch_hot_code(void) {
  const char *begin = (const char *)cposix_hot_begin;
  const char *end = (const char *)cposix_hot_end;
  if (end <= begin || end - begin > size_max) return;
  for (const char *line = begin; line < end; line += line_size) __builtin_prefetch(line, 0, 2);
}
