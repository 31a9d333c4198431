#!/bin/bash
# Prints what "binnacle top" costs on a virtual board: bytes on the terminal, and processor time of the daemon with and
# without the view: measure-top.sh BUILD [SECONDS]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
bin=$(cd "$1" && pwd)
seconds=${2:-30}
directory=$(mktemp -d)
board=

finish() {
  [ -z "$board" ] || kill -TERM "$board" 2>/dev/null || :
  wait 2>/dev/null || :
  rm -rf "$directory"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

"$root/scripts/run-virtual-board.sh" >"$directory/board" 2>&1 &
board=$!
runtime=
for ((tries = 0; tries < 600; tries++)); do
  runtime=$(sed -n 's/^ *BINNACLE_RUNTIME=\([^ ]*\).*/\1/p' "$directory/board" | head -n 1)
  if [ -n "$runtime" ] && "$bin/binnacle" status --runtime "$runtime" >"$directory/status" 2>&1; then break; fi
  kill -0 "$board" 2>/dev/null || { cat "$directory/board" >&2 && exit 1; }
  sleep 0.1
done
[ -s "$directory/status" ] || { echo "measure-top: the board does not start" >&2 && exit 1; }
export BINNACLE_RUNTIME=$runtime

# Seconds of processor time of the daemon since its start.
processor_time() { "$bin/binnacle" status --json | grep -o '"daemon.cpu_s":[0-9.]*' | cut -d: -f2; }

# The first fix and the answer of the person come first.
sleep 15
before=$(processor_time)
sleep "$seconds"
without=$(awk -v a="$before" -v b="$(processor_time)" 'BEGIN { print b - a }')

# All output of the view with its time, from a terminal of 80 columns and 24 rows. An end of its input would end the view.
measure() {
  before=$(processor_time)
  TERM=$1 script --quiet --flush --logging-format classic --log-out "$directory/out" --log-timing "$directory/times" \
    --command "stty rows 24 cols 80 && exec timeout --foreground $seconds '$bin/binnacle' top" < <(sleep "$((seconds + 2))") >/dev/null || :
  awk -v name="$1" -v seconds="$seconds" -v before="$before" -v after="$(processor_time)" -v without="$without" '
    { now += $1; sum += $2; times[NR] = now; sizes[NR] = $2
      second += $2
      while (now - times[first + 1] >= 1) { second -= sizes[first + 1]; first += 1 }
      if (second > most) most = second }
    END {
      printf "%-8s %8d bytes a second, at most %d in any second; ", name, sum / seconds, most
      printf "daemon %.1f ms a second, %.1f without the view\n", (after - before) * 1000 / seconds, without * 1000 / seconds }
  ' "$directory/times"
}
echo "binnacle top for $seconds s on a virtual board, 80 columns and 24 rows:"
measure xterm
measure dumb
