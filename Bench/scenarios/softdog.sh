# The kernel's watchdog does not reset the board while a program sends watchdog signals. Without signals it resets the board.
# bench: kernel=softdog.soft_margin=10

if [ -e "$BENCH_OUT/left-alone" ]; then
  say "this is the boot after the reset"
  expect "the watchdog got signals for a minute before the reset" test -e "$BENCH_OUT/fed"
  exit 0
fi
exec 3>/dev/watchdog
for feeding in 1 2 3 4 5 6 7 8 9 10 11 12; do
  dwell 5
  echo >&3
done
: >"$BENCH_OUT/fed"
: >"$BENCH_OUT/left-alone"
dwell 30
fail "the watchdog did not reset the board in 30 s without a signal"
