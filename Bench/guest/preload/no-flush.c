// A disk that says "flushed" and has not: what a daemon loses whose flushes do nothing. Loaded before the C library.

int fdatasync(int descriptor) {
  (void)descriptor;
  return 0;
}

int fsync(int descriptor) {
  (void)descriptor;
  return 0;
}
