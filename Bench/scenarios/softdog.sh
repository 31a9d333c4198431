# A watchdog that is fed lets the board live; one that is left alone resets it.
# bench: kernel=softdog.soft_margin=10

if [ -e "$BENCH_OUT/left-alone" ]; then
  say "this is the boot after the reset"
  expect "the watchdog had been fed for a minute before" test -e "$BENCH_OUT/fed"
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
fail "30 s without food, and the board lives"
