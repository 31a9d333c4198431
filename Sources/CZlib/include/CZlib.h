#pragma once

// A small face over zlib: bytes of gzip in, bytes out. No header of zlib in what Swift sees.

#include <stddef.h>
#include <stdint.h>

/// A decompression that has begun.
struct czlib_stream;

/// Begins one; NULL when there is no memory.
struct czlib_stream *czlib_begin(void);
/// Gives back what it holds.
void czlib_end(struct czlib_stream *stream);

/// What a call has done.
struct czlib_progress {
  /// Bytes that were taken.
  size_t taken;
  /// Bytes that came out.
  size_t given;
  /// Whether the bytes are damaged; then nothing follows.
  uint8_t is_damaged;
  /// Whether a whole gzip member has ended with the last byte that was taken.
  uint8_t is_whole;
};

/// Decompresses as much as fits; a member that follows another one is read, too.
struct czlib_progress czlib_inflate(struct czlib_stream *stream, const uint8_t *bytes, size_t count,
                                    uint8_t *space, size_t room);
