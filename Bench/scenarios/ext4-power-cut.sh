# Flushed data survives a power cut, and the file system repairs itself.
# bench: disk=32M time=natural

disk_mounted /data
if [ "$BENCH_BOOT" = 1 ]; then
  # The writer says outside what is safe, after each flush, and goes on until the power goes.
  (
    number=0
    while :; do
      number=$((number + 1))
      echo "record $number" >>/data/records
      [ $((number % 10)) != 0 ] || { sync -d /data/records && echo "$number" >>"$BENCH_OUT/safe"; }
    done
  ) &
  has_flushed() { [ "$(lines_in "$BENCH_OUT/safe" .)" -ge 5 ]; }
  wait_for 10 "fifty records are safe" has_flushed
  power_cut
fi

safe=$(tail -n 1 "$BENCH_OUT/safe")
seq --format='record %g' "$safe" >/run/wanted
head -n "$safe" /data/records >/run/found
expect "the $safe records that were safe are there" cmp /run/found /run/wanted
umount /data
expect "the file system is sound" e2fsck -f -n "$disk"
