# The disk that outlives a kernel, and the power cut: the host ends the kernel in whatever it is doing and boots the next
# one on the same disk. $BENCH_BOOT counts them.

disk=/dev/ubda

# disk_mounted FOLDER: with a fresh file system at the first boot.
disk_mounted() {
  [ "$BENCH_BOOT" != 1 ] || mkfs.ext4 -q "$disk"
  mkdir -p "$1"
  mount -t ext4 "$disk" "$1"
}

# power_cut: does not return.
power_cut() {
  power_cut_within 0
  sleep infinity
}

# power_cut_within SECONDS: at a moment that the host draws; what the scenario does goes on until then.
power_cut_within() {
  echo "$1" >"$BENCH_OUT/cut.new"
  mv "$BENCH_OUT/cut.new" "$BENCH_OUT/cut"
}

# A second disk without a file system, where a scenario asks for one ("# bench: partition=8M").
partition=/dev/ubdb

# disk_work DEVICE: bytes that it was given to write since the start, and flushes
# (Documentation/block/stat.rst: fields 7 and 16).
disk_work() { awk '{ print $7 * 512, $16 }' "/sys/class/block/${1##*/}/stat"; }
