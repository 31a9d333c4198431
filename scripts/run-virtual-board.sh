#!/bin/bash
# A virtual board: a simulated receiver on a pseudo-terminal, buttons, lamps and an accelerometer on a socket, the real
# daemon on them, an app that asks for the location, and a person that answers with the buttons. Receiver and
# accelerometer are on one body, which drives for 9 s and stands for 19, over and over; with a recording the
# accelerometer lies still.
# Ctrl-C, or the end of the given time, ends all parts with status 0. A part that ends by itself ends all with status 1.
#   run-virtual-board.sh [--seconds N] [--answer allow|deny|none] [--log FILE] [--speed N] [--generation NAME] [--seed N]
# An option with an empty value counts as absent.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
bin=$root/.build/debug
seconds= answer= log= speed= generation= seed= inner=

usage() {
  echo "run: $1" >&2
  echo "usage: make run [SECONDS=N] [ANSWER=allow|deny|none] [LOG=FILE [SPEED=N]] [GENERATION=6|7|m8|m10|m10-5.30] [SEED=N]" >&2
  exit 64
}

arguments=("$@")
while [ $# -gt 0 ]; do
  case "$1" in
  --seconds) seconds=${2-} ;;
  --answer) answer=${2-} ;;
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
[[ ${answer:=allow} =~ ^(allow|deny|none)$ ]] || usage "ANSWER is allow, deny or none, not $answer"
[ -z "$log" ] || [ -r "$log" ] || usage "cannot read $log"
[ -z "$speed" ] || [ -n "$log" ] || usage "SPEED goes with LOG"

# On a terminal Ctrl-C also reaches make, which would report the intended end as an error. This script therefore runs as
# a job of its own, and only this job gets the signal.
if [ -z "$inner" ] && [ -t 0 ]; then
  set -m
  "$0" --inner "${arguments[@]}"
  exit
fi

# Each part is a job of its own, too: it gets only the signals that this script sends, in the right order.
set -m
directory=$(mktemp -d) || exit 73
pids=() journey=()

# Ends parts, and waits up to 5 s until they have ended.
end_parts() {
  local tries pid alive
  kill -TERM "$@" 2>/dev/null
  for ((tries = 0; tries < 100; tries++)); do
    alive=
    for pid in "$@"; do kill -0 "$pid" 2>/dev/null && alive=yes; done
    [ -n "$alive" ] || return
    sleep 0.05
  done
  kill -KILL "$@" 2>/dev/null
}

# Ends all parts, and leaves nothing behind. The app ends first, because it stores its end at the daemon.
finish() {
  trap '' INT TERM HUP
  exec 2>/dev/null  # The shell reports the end of its jobs there.
  [ ${#pids[@]} -lt 4 ] || end_parts "${pids[@]:3}"
  [ ${#pids[@]} = 0 ] || end_parts "${pids[@]:0:3}"
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
"$bin/binnacle-sim" board --listen "$directory/run/board.sock" --log "$directory/changes" "${journey[@]}" \
  >"$directory/board.log" 2>&1 &
pids+=($!)
await "$directory/run/board.sock" "${pids[1]}" "binnacle-sim board" board

# The configuration: the manifest of the app, and a shorter prompt when it is not answered.
config=$directory/config
app=org.binnacle.demo
mkdir -p "$config/apps.d" "$config/boards/virtual.conf.d"
cat >"$config/apps.d/demo.app" <<END
[App]
Identifier=$app
Executable=$bin/LiveUpdates
User=$(id -u)
BackgroundModes=location
WhenInUseUsageDescription=Shows where this board is.
END
prompt=60
if [ "$answer" = none ]; then
  prompt=10
  printf '[Location]\nPromptTimeout=%d s\n' "$prompt" >"$config/boards/virtual.conf.d/demo.conf"
fi

echo "daemon:   binnacled on both; these show its state:"
echo "    BINNACLE_RUNTIME=$directory/run $programs/binnacle status"
echo "    BINNACLE_RUNTIME=$directory/run $programs/binnacle why org"
cp "$root/boards/virtual.conf" "$config/boards/virtual.conf"
"$bin/binnacled" --board virtual --receiver "$tty" --config "$config" --runtime "$directory/run" \
  --state "$directory/state" >"$directory/daemon.log" 2>&1 &
pids+=($!)
await "$directory/run/binnacle.sock" "${pids[2]}" binnacled daemon

# Prints the app's lines with the state of the app in front.
show() {
  local line
  while IFS= read -r line; do
    case "$line" in
    [0-9]*:\ *)
      if [ -e "$directory/background" ]; then echo "update: (background) ${line#*: }"; else echo "update: ${line#*: }"; fi
      : >"$directory/updated"
      ;;
    resting:*) echo "pause: the board rests, and updates pause until it moves" ;;
    *" in all") echo "end: the app has ended, with $line" ;;
    "waiting for the user's answer" | "this program may not know its location") ;;
    *) echo "app: $line" ;;
    esac
  done
}

echo "app:      Examples/LiveUpdates as $app${seconds:+, $seconds s}; Ctrl-C ends all"
mkfifo "$directory/said"
show <"$directory/said" &
shown=$!
BINNACLE_RUNTIME=$directory/run "$bin/LiveUpdates" --background ${seconds:+--seconds "$seconds"} >"$directory/said" &
pids+=($!)

binnacle() { "$bin/binnacle" "$@" --runtime "$directory/run" 2>/dev/null; }

# Waits up to 20 s until a command succeeds.
until_true() {
  local tries
  for ((tries = 0; tries < 200; tries++)); do
    "$@" && return 0
    sleep 0.1
  done
  return 1
}
is_running() { binnacle apps --json | grep -q "\"$app\".*\"state\":\"[fb]"; }
is_asking() { binnacle prompts --json | grep -q '"shown":true'; }
is_answered() { binnacle grants --json | grep -q "\"$app\".*\"authorization\":\"$1\""; }
is_lit() { binnacle status --json | grep -q '"indicator.read_back":"on"'; }
is_open() { binnacle prompts --json | grep -q "\"$app\""; }
# The indicator has not been lit for two seconds. It flashes once a second for a prompt.
is_dark() {
  local before
  before=$(grep -c ' lamp INDICATOR 1$' "$directory/changes")
  sleep 2
  ! is_lit && [ "$(grep -c ' lamp INDICATOR 1$' "$directory/changes")" = "$before" ]
}

# The person at the board: brings the app to the foreground, reads the prompt, and presses the buttons.
person() {
  until_true is_running
  binnacle foreground "$app"
  until_true is_asking || return
  echo "prompt: $(binnacle prompts | head -n 1)"
  case "$answer" in
  allow)
    sleep 1
    binnacle press ALLOW
    echo "press: ALLOW"
    until_true is_answered when_in_use || return
    echo "granted: $app may use the location while it is in use"
    until_true test -e "$directory/updated" || return
    sleep 2
    binnacle press HOME
    echo "press: HOME, so the app is in the background, and its session keeps it in use"
    until_true is_lit || return
    echo "lamp: lit, read back"
    : >"$directory/background"
    ;;
  deny)
    sleep 1
    binnacle press ALLOW long
    echo "press: ALLOW, long"
    until_true is_answered denied || return
    : >"$directory/denied"
    ;;
  none)
    sleep "$prompt"
    { until_true is_dark && is_open; } || return
    echo "lapse: no person has answered within $prompt s; the light is dark, and the request stays open"
    ;;
  esac
}
person &
pids+=($!)

# The first four parts only: the end of the person's work is not the end of the others.
if [ "$answer" = deny ]; then
  wait "${pids[4]}"
  [ -e "$directory/denied" ] || fail "the answer" 1 daemon
  # The app ends with lines of its own, and the denial is the last line.
  exec 2>/dev/null  # The shell reports the end of its jobs there.
  end_parts "${pids[3]}"
  wait "$shown"
  echo "denied: $app may not use the location"
  finish 0
fi
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
"${pids[3]}")
  wait "$shown"
  # Without an answer the app gets no location, and says so with its status.
  [ "$status" = 0 ] || [ "$answer" = none ] || fail LiveUpdates "$status" app
  ;;
esac
finish 0
