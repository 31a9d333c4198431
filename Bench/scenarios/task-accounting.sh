# The kernel counts what a process reads, writes and how often it waits: the judge of every busy loop here.

mkfifo /run/line
cat /run/line >/dev/null &
reader=$!
exec 3>/run/line
is_asleep() { grep -q '^State:.*sleeping' "/proc/$1/status"; }
wait_for 2 "the reader waits" is_asleep "$reader"
reads=$(read_calls "$reader")
switches=$(voluntary_switches "$reader")
dwell 60
expect_equal "reads in a minute without anything to read" $(($(read_calls "$reader") - reads)) 0
expect_equal "wake-ups in that minute" $(($(voluntary_switches "$reader") - switches)) 0

for number in 1 2 3 4 5; do
  echo "$number" >&3
  dwell 1
done
expect_equal "reads for five pieces" $(($(read_calls "$reader") - reads)) 5
expect_equal "wake-ups for five pieces" $(($(voluntary_switches "$reader") - switches)) 5
