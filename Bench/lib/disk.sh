# The disk that survives the end of a kernel, and the power cut: the host ends the kernel at once and boots the next kernel on the
# same disk. $BENCH_BOOT is the number of the boot.

disk=/dev/ubda

# disk_mounted FOLDER: mounts the disk, with a new file system at the first boot.
disk_mounted() {
  [ "$BENCH_BOOT" != 1 ] || mkfs.ext4 -q "$disk"
  mkdir -p "$1"
  mount -t ext4 "$disk" "$1"
}

# power_cut: the host cuts the power at once. The function does not return.
power_cut() {
  power_cut_within 0
  sleep infinity
}

# power_cut_within SECONDS: the host cuts the power at a random moment within this time. The scenario continues until then.
power_cut_within() {
  echo "$1" >"$BENCH_OUT/cut.new"
  mv "$BENCH_OUT/cut.new" "$BENCH_OUT/cut"
}

# A second disk without a file system, for a scenario with the setting "# bench: partition=8M".
partition=/dev/ubdb

# disk_work DEVICE: the bytes written to the device since the start, and the flushes
# (Documentation/block/stat.rst: fields 7 and 16).
disk_work() { awk '{ print $7 * 512, $16 }' "/sys/class/block/${1##*/}/stat"; }
