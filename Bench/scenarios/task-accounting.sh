# The kernel counts the read calls and the wake-ups of a process correctly. Other scenarios use these counts to find busy loops.

mkfifo /run/line
cat /run/line >/dev/null &
reader=$!
exec 3>/run/line
is_asleep() { grep -q '^State:.*sleeping' "/proc/$1/status"; }
wait_for 2 "the reader waits" is_asleep "$reader"
reads=$(read_calls "$reader")
switches=$(voluntary_switches "$reader")
dwell 60
expect_equal "read calls in a minute without input" $(($(read_calls "$reader") - reads)) 0
expect_equal "wake-ups in a minute without input" $(($(voluntary_switches "$reader") - switches)) 0

for number in 1 2 3 4 5; do
  echo "$number" >&3
  dwell 1
done
expect_equal "read calls for five lines of input" $(($(read_calls "$reader") - reads)) 5
expect_equal "wake-ups for five lines of input" $(($(voluntary_switches "$reader") - switches)) 5
