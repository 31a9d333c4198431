# The control of power-cut-daemon: the flushes of this daemon do nothing. Each power cut loses acknowledged changes, so the proof of
# power-cut-daemon can fail.
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
  say "cut $((BENCH_BOOT - 1)) lost acknowledged $1"
}
commits_kept || broken commits
export LD_PRELOAD="$BENCH_TOOLS/no-flush.so"
start_daemon --receiver /dev/ttyS0
unset LD_PRELOAD
promises_kept || broken values
# The daemon reports the loss as damage. It stores no more state until an operator accepts the loss.
binnacle state accept || true
if [ "$BENCH_BOOT" -le "$BENCH_CUTS" ]; then changes_until_cut; fi

expect_equal "cuts that lost commits" "$(lines_in "$BENCH_OUT/broken.commits" .)" "$BENCH_CUTS"
expect "all cuts, or all but one, lost values" [ "$(lines_in "$BENCH_OUT/broken.values" .)" -ge "$((BENCH_CUTS - 1))" ]
