# Acknowledged changes are there after every power cut. The cuts come at random moments, while an app changes its defaults,
# the switch of location services, its open updates, the answers about apps and a background session. The file system is
# ext4 with its default options.
# bench: disk=32M time=natural cuts=10 limit=120

disk_mounted /var/lib/binnacle
service_user
promises_manifests
if [ "$BENCH_BOOT" = 1 ]; then
  start_daemon --receiver /dev/ttyS0
  stop_daemon
  : >"$service_journal"
else
  say "cut $((BENCH_BOOT - 1)) after $(tail -n 1 "$promises")"
fi
expect "as many commits are there as were acknowledged" commits_kept
start_daemon --receiver /dev/ttyS0
expect "defaults, switch, live updates, answers and the session are as they were acknowledged" promises_kept
expect_not "nothing is damaged" daemon_said 'damaged\|is lost\|not trusted'
if [ "$BENCH_BOOT" -le "$BENCH_CUTS" ]; then changes_until_cut; fi

stop_daemon
umount /var/lib/binnacle
expect "the file system is sound" e2fsck -f -n "$disk"
for name in key services updates grant session; do
  say "$(lines_in "$promises" "^done $name") changes of $name were acknowledged, $BENCH_CUTS times the power was cut"
  expect "some of $name were" [ "$(lines_in "$promises" "^done $name")" -ge $((BENCH_CUTS / 4)) ]
done
