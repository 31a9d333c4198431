// Flushes that report success and write nothing: with them a daemon loses acknowledged changes. Loaded before the C library.

int fdatasync(int descriptor) {
  (void)descriptor;
  return 0;
}

int fsync(int descriptor) {
  (void)descriptor;
  return 0;
}
