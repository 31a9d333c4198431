# What the daemon has acknowledged is there after every power cut, at random moments, on ext4 with its defaults.
# bench: disk=32M time=natural cuts=10 limit=90

disk_mounted /var/lib/binnacle
if [ "$BENCH_BOOT" = 1 ]; then
  start_daemon --receiver /dev/ttyS0
  stop_daemon
  : >"$service_journal"
else
  say "cut $((BENCH_BOOT - 1)) after $(tail -n 1 "$promises")"
fi
expect "as many commits are there as were acknowledged" commits_kept
start_daemon --receiver /dev/ttyS0
if [ "$BENCH_BOOT" -gt 1 ]; then
  expect "location services are as they were acknowledged" promise_kept services "$(services)"
fi
expect_not "nothing is damaged" daemon_said 'damaged\|is lost\|not trusted'
if [ "$BENCH_BOOT" -le "$BENCH_CUTS" ]; then changes_until_cut; fi

stop_daemon
umount /var/lib/binnacle
expect "the file system is sound" e2fsck -f -n "$disk"
say "$(lines_in "$promises" '^done') changes were acknowledged, $BENCH_CUTS times the power was cut"
