# Flushed data survives a power cut, and the file system repairs itself.
# bench: disk=32M time=natural

disk_mounted /data
if [ "$BENCH_BOOT" = 1 ]; then
  # After each flush the writer notes outside of the guest which records are safe. It writes until the power cut.
  (
    number=0
    while :; do
      number=$((number + 1))
      echo "record $number" >>/data/records
      [ $((number % 10)) != 0 ] || { sync -d /data/records && echo "$number" >>"$BENCH_OUT/safe"; }
    done
  ) &
  has_flushed() { [ "$(lines_in "$BENCH_OUT/safe" .)" -ge 5 ]; }
  wait_for 10 "the writer has flushed fifty records" has_flushed
  power_cut
fi

safe=$(tail -n 1 "$BENCH_OUT/safe")
seq --format='record %g' "$safe" >/run/wanted
head -n "$safe" /data/records >/run/found
expect "the disk has the $safe flushed records" cmp /run/found /run/wanted
umount /data
expect "e2fsck finds no errors in the file system" e2fsck -f -n "$disk"
