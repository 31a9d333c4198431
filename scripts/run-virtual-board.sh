#!/bin/bash
# A board without a board: a simulated receiver on a pseudo-terminal, the real daemon on it, an app.
# Ctrl-C, or the time given, ends everything with status 0; a part that dies ends it with status 1.
#   run-virtual-board.sh [--seconds N] [--log FILE] [--speed N] [--generation NAME] [--seed N]
# An empty value is as good as none.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
bin=$root/.build/debug
seconds= log= speed= generation= seed= inner=

usage() {
  echo "run: $1" >&2
  echo "usage: make run [SECONDS=N] [LOG=FILE [SPEED=N]] [GENERATION=6|7|m8|m10|m10-5.30] [SEED=N]" >&2
  exit 64
}

arguments=("$@")
while [ $# -gt 0 ]; do
  case "$1" in
  --seconds) seconds=${2-} ;;
  --log) log=${2-} ;;
  --speed) speed=${2-} ;;
  --generation) generation=${2-} ;;
  --seed) seed=${2-} ;;
  --inner) inner=yes && shift && continue ;;
  *) usage "there is no option $1" ;;
  esac
  shift 2 || usage "$1 needs a value"
done
[[ $seconds =~ ^[0-9]*$ ]] || usage "SECONDS is a whole number, not $seconds"
[ -z "$log" ] || [ -r "$log" ] || usage "cannot read $log"
[ -z "$speed" ] || [ -n "$log" ] || usage "SPEED goes with LOG"

# On a terminal Ctrl-C reaches make too, which would call the end that was asked for an error. As a job of
# its own this script is the only one that hears it.
if [ -z "$inner" ] && [ -t 0 ]; then
  set -m
  "$0" --inner "${arguments[@]}"
  exit
fi

# Each part is a job of its own too: it hears only what this script tells it, in the right order.
set -m
directory=$(mktemp -d) || exit 73
pids=()

# Ends the parts, the app first, and leaves nothing behind; a part has 5 s for it.
finish() {
  trap '' INT TERM HUP
  exec 2>/dev/null  # The shell's remarks about its jobs are nobody's business.
  local index tries alive
  for ((index = ${#pids[@]} - 1; index >= 0; index--)); do
    kill -TERM "${pids[index]}" 2>/dev/null
  done
  for ((tries = 0; tries < 100; tries++)); do
    alive=
    for index in "${!pids[@]}"; do kill -0 "${pids[index]}" 2>/dev/null && alive=yes; done
    [ -n "$alive" ] || break
    sleep 0.05
  done
  [ -z "$alive" ] || kill -KILL "${pids[@]}" 2>/dev/null
  wait 2>/dev/null
  rm -rf "$directory"
  exit "$1"
}
trap 'finish 0' INT
trap 'finish 143' TERM HUP

# Says which part ended how, with the end of what it said, and ends the rest.
fail() {
  echo "run: $1 ended with status $2" >&2
  [ ! -s "$directory/$3.log" ] || tail -n 10 "$directory/$3.log" >&2
  finish 1
}

# Waits up to 10 s for a file that the part with this pid makes.
await() {
  local tries
  for ((tries = 0; tries < 200; tries++)); do
    [ ! -e "$1" ] || return 0
    kill -0 "$2" 2>/dev/null || break
    sleep 0.05
  done
  kill "$2" 2>/dev/null
  wait "$2"
  fail "$3" $? "$4"
}

tty=$directory/receiver
if [ -n "$log" ]; then
  receiver=("$bin/binnacle-sim" play "$log" --tty "$tty" ${speed:+--speed "$speed"})
  said="the recording $log${speed:+, $speed times as fast}"
else
  receiver=("$bin/binnacle-sim" receiver --generation "${generation:-m10}" --seed "${seed:-7}" --tty "$tty")
  said="a simulated ${generation:-m10} receiver, seed ${seed:-7}"
fi

echo "receiver: $said, on $tty"
"${receiver[@]}" >"$directory/receiver.log" 2>&1 &
pids+=($!)
await "$tty" "${pids[0]}" binnacle-sim receiver

echo "daemon:   binnacled on that device; look at it with" \
  "BINNACLE_RUNTIME=$directory/run $bin/binnacle status"
"$bin/binnacled" --receiver "$tty" --runtime "$directory/run" --state "$directory/state" \
  >"$directory/daemon.log" 2>&1 &
pids+=($!)
await "$directory/run/binnacle.sock" "${pids[1]}" binnacled daemon

echo "app:      Examples/LiveUpdates${seconds:+, for $seconds s}; Ctrl-C ends everything"
BINNACLE_RUNTIME=$directory/run "$bin/LiveUpdates" ${seconds:+--seconds "$seconds"} &
pids+=($!)

wait -n -p ended "${pids[@]}"
status=$?
case "$ended" in
"${pids[0]}")
  # A recording comes to its end; its last fixes are still under way to the app.
  [ -n "$log" ] && [ "$status" = 0 ] || fail binnacle-sim "$status" receiver
  sleep 1
  echo "run: the recording has ended"
  ;;
"${pids[1]}") fail binnacled "$status" daemon ;;
"${pids[2]}") [ "$status" = 0 ] || fail LiveUpdates "$status" app ;;
esac
finish 0
