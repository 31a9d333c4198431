# The same with a daemon whose flushes do nothing: what it has acknowledged is lost, so the proof can fail.
# bench: disk=32M time=natural cuts=5

disk_mounted /var/lib/binnacle
service_user
promises_manifests
if [ "$BENCH_BOOT" = 1 ]; then
  start_daemon --receiver /dev/ttyS0
  stop_daemon
  : >"$service_journal"
fi
broken() {
  echo "$BENCH_BOOT" >>"$BENCH_OUT/broken.$1"
  say "cut $((BENCH_BOOT - 1)) has broken promises of $1"
}
commits_kept || broken commits
export LD_PRELOAD="$BENCH_TOOLS/no-flush.so"
start_daemon --receiver /dev/ttyS0
unset LD_PRELOAD
promises_kept || broken values
# The daemon takes the loss for rot. It keeps nothing more until an operator accepts the loss.
binnacle state accept || true
if [ "$BENCH_BOOT" -le "$BENCH_CUTS" ]; then changes_until_cut; fi

expect_equal "cuts that have lost commits" "$(lines_in "$BENCH_OUT/broken.commits" .)" "$BENCH_CUTS"
expect "and values with them" [ "$(lines_in "$BENCH_OUT/broken.values" .)" -ge "$((BENCH_CUTS - 1))" ]
