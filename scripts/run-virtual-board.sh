#!/bin/bash
# A board without a board: a simulated receiver on a pseudo-terminal, buttons, lamps and an accelerometer on a socket,
# the real daemon on them, an app, and a finger on a button. Receiver and accelerometer are on one body, which drives
# for 9 s and stands for 19, over and over; with a recording the accelerometer lies still.
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
pids=() journey=()

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
  journey=(--path errand --departure "$(date +%s)" --seed "${seed:-7}")
  receiver=("$bin/binnacle-sim" receiver --generation "${generation:-m10}" "${journey[@]}" --tty "$tty")
  said="simulated ${generation:-m10}, seed ${seed:-7}, on a body that drives 9 s, stands 19 s"
fi

# Commands of the banner, as short as they can be: a terminal has 80 columns.
programs=${bin#"$PWD/"}
echo "receiver: $said"
echo "          on $tty"
"${receiver[@]}" >"$directory/receiver.log" 2>&1 &
pids+=($!)
await "$tty" "${pids[0]}" binnacle-sim receiver

# boards/virtual.conf looks for the board's socket where the daemon has its own.
mkdir -m 700 "$directory/run"
echo "board:    boards/virtual.conf; this presses one of its buttons:"
echo "    BINNACLE_RUNTIME=$directory/run $programs/binnacle press HOME"
"$bin/binnacle-sim" board --listen "$directory/run/board.sock" "${journey[@]}" >"$directory/board.log" 2>&1 &
pids+=($!)
await "$directory/run/board.sock" "${pids[1]}" "binnacle-sim board" board

echo "daemon:   binnacled on both; this shows its state:"
echo "    BINNACLE_RUNTIME=$directory/run $programs/binnacle status"
"$bin/binnacled" --board "$root/boards/virtual.conf" --receiver "$tty" --runtime "$directory/run" \
  --state "$directory/state" >"$directory/daemon.log" 2>&1 &
pids+=($!)
await "$directory/run/binnacle.sock" "${pids[2]}" binnacled daemon

echo "app:      Examples/LiveUpdates${seconds:+, for $seconds s}; Ctrl-C ends everything"
BINNACLE_RUNTIME=$directory/run "$bin/LiveUpdates" ${seconds:+--seconds "$seconds"} &
pids+=($!)

# A finger and an eye at the board.
look() {
  "$bin/binnacle" status --all --runtime "$directory/run" 2>/dev/null |
    sed -n "s/^$1  *//p"
}
{
  sleep 3
  "$bin/binnacle" press HOME --runtime "$directory/run" 2>/dev/null
  sleep 1
  echo "board:    HOME was pressed: $(look buttons.HOME.last_gesture); status light:" \
    "$(look status_light.pattern)"
  echo "          accelerometer: $(look accelerometer.chip) $(look accelerometer.state)"
} &
pids+=($!)

# The first four parts only: the finger's end is not the end of anything.
wait -n -p ended "${pids[@]:0:4}"
status=$?
case "$ended" in
"${pids[0]}")
  # A recording comes to its end; its last fixes are still under way to the app.
  [ -n "$log" ] && [ "$status" = 0 ] || fail binnacle-sim "$status" receiver
  sleep 1
  echo "run: the recording has ended"
  ;;
"${pids[1]}") fail "binnacle-sim board" "$status" board ;;
"${pids[2]}") fail binnacled "$status" daemon ;;
"${pids[3]}") [ "$status" = 0 ] || fail LiveUpdates "$status" app ;;
esac
finish 0
