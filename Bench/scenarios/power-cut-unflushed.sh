# The same with a daemon whose flushes do nothing: what it has acknowledged is lost, so the proof can fail.
# bench: disk=32M time=natural cuts=5 limit=60

disk_mounted /var/lib/binnacle
if [ "$BENCH_BOOT" = 1 ]; then
  start_daemon --receiver /dev/ttyS0
  stop_daemon
  : >"$service_journal"
fi
if ! commits_kept; then
  echo "$BENCH_BOOT" >>"$BENCH_OUT/broken"
  say "cut $((BENCH_BOOT - 1)) has broken promises, the last one: $(tail -n 1 "$promises")"
  rm "$promises.wanted"
  expect "the log can be counted on from here" commits_kept
fi
if [ "$BENCH_BOOT" -le "$BENCH_CUTS" ]; then
  export LD_PRELOAD="$BENCH_TOOLS/no-flush.so"
  start_daemon --receiver /dev/ttyS0
  unset LD_PRELOAD
  changes_until_cut
fi

expect_equal "cuts that have broken a promise" "$(lines_in "$BENCH_OUT/broken" .)" "$BENCH_CUTS"
