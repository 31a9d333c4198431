# After each power cut the daemon has all acknowledged changes. The cuts come at random moments, while an app changes its defaults,
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
expect "the log has a commit for each acknowledged change" commits_kept
start_daemon --receiver /dev/ttyS0
expect "the daemon has the acknowledged defaults, switch, updates, answers and session" promises_kept
expect_not "the daemon reports no damaged and no lost state" daemon_said 'damaged\|is lost\|not trusted'
if [ "$BENCH_BOOT" -le "$BENCH_CUTS" ]; then changes_until_cut; fi

stop_daemon
umount /var/lib/binnacle
expect "e2fsck finds no errors in the file system" e2fsck -f -n "$disk"
for name in key services updates grant session; do
  say "$(lines_in "$promises" "^done $name") changes of $name were acknowledged, with $BENCH_CUTS power cuts"
  expect "enough changes of $name were acknowledged" [ "$(lines_in "$promises" "^done $name")" -ge $((BENCH_CUTS / 4)) ]
done
