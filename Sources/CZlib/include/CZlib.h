#pragma once

// A small face over zlib: bytes of gzip in, bytes out. No header of zlib in what Swift sees.

#include <stddef.h>
#include <stdint.h>

/// A decompression in progress.
struct czlib_stream;

/// Begins a decompression; NULL when there is no memory.
struct czlib_stream *czlib_begin(void);
/// Frees a decompression.
void czlib_end(struct czlib_stream *stream);

/// The result of a call.
struct czlib_progress {
  /// Bytes consumed.
  size_t taken;
  /// Bytes produced.
  size_t given;
  /// Whether the bytes are damaged; then the decompression is over.
  uint8_t is_damaged;
  /// Whether a whole gzip member has ended with the last byte that was taken.
  uint8_t is_whole;
};

/// Decompresses as much as fits; a member that follows another one is read, too.
struct czlib_progress czlib_inflate(struct czlib_stream *stream, const uint8_t *bytes, size_t count,
                                    uint8_t *space, size_t room);
