#include "CZlib.h"

#include <stdlib.h>
#include <zlib.h>

struct czlib_stream {
  z_stream stream;
};

struct czlib_stream *czlib_begin(void) {
  struct czlib_stream *stream = calloc(1, sizeof *stream);
  // 15 is the largest window, 16 more means gzip and nothing else (zlib.h, inflateInit2).
  if (stream != NULL && inflateInit2(&stream->stream, 15 + 16) != Z_OK) {
    free(stream);
    return NULL;
  }
  return stream;
}

void czlib_end(struct czlib_stream *stream) {
  if (stream == NULL) return;
  inflateEnd(&stream->stream);
  free(stream);
}

struct czlib_progress czlib_inflate(struct czlib_stream *stream, const uint8_t *bytes, size_t count,
                                    uint8_t *space, size_t room) {
  struct czlib_progress progress = {0, 0, 0, 0};
  z_stream *z = &stream->stream;
  if (count > 1 << 20) count = 1 << 20;
  if (room > 1 << 20) room = 1 << 20;
  z->next_in = (Bytef *)bytes;
  z->avail_in = (uInt)count;
  z->next_out = space;
  z->avail_out = (uInt)room;
  int result = inflate(z, Z_NO_FLUSH);
  progress.taken = count - z->avail_in;
  progress.given = room - z->avail_out;
  if (result == Z_STREAM_END) {
    progress.is_whole = 1;
    progress.is_damaged = inflateReset(z) != Z_OK;
  } else {
    // Z_BUF_ERROR only says that there is nothing to do at the moment.
    progress.is_damaged = result != Z_OK && result != Z_BUF_ERROR;
  }
  return progress;
}
