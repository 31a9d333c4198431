#!/bin/bash
# Checks that "make run" runs for the given time, and that its lines come in this order: a prompt, its answer,
# locations, the lamp, locations in the background, a pause of some seconds, and locations again when the board drives
# on.
#   check-run.sh SECONDS
set -uo pipefail
cd "$(dirname "$0")/.."
seconds=$1
run() {
  scripts/run-virtual-board.sh --seconds "$1" --answer "$2" --log '' --speed '' --generation '' --seed '' |
    while IFS= read -r line; do echo "$(date +%s%3N) $line"; done
}

began=$SECONDS
said=$(run "$seconds" allow)
status=$?
took=$((SECONDS - began))
denied=$(run 20 deny)
status_denied=$?
unanswered=$(run 25 none)
status_unanswered=$?

# The lines above the app's own lines fit a terminal. The folder for temporary files may have a longer name than /tmp.
if sed -n -e "s|${TMPDIR:-/tmp}/|/tmp/|g" -e '1,/^[0-9]* app: /p' <<<"$said" | cut -d ' ' -f 2- | grep '.\{81\}'; then
  echo "check-run: the banner has more than 80 columns there" >&2
  exit 1
fi

# The order of the lines, and the silence after the first pause.
judged=$(awk -v status="$status" -v took="$took" -v seconds="$seconds" '
  BEGIN { count = split("prompt:|press: ALLOW|granted:|update:|press: HOME|lamp: lit, read back|update: (background)|pause:|end:", wanted, "|"); next_one = 1 }
  {
    at = $1
    sub(/^[0-9]* /, "")
    if (next_one <= count && index($0, wanted[next_one]) == 1) next_one++
    if ($0 ~ /^update: /) { if (paused && !silence) silence = at - paused; updates++ }
    if ($0 ~ /^pause:/ && !paused) paused = at
  }
  END {
    printf "run: status %d, %d s, %d of %d lines in order, %d updates, %d ms of silence in the pause\n",
      status, took, next_one - 1, count, updates, silence
    exit !(status == 0 && took >= seconds && next_one > count && updates > 10 && silence >= 4000)
  }' <<<"$said")
result=$?
echo "$judged"
if [ "$result" != 0 ]; then
  echo "$said"
  echo "check-run: a line is missing or out of order, or the status, the time or the pause is wrong" >&2
  exit 1
fi
if [ "$status_denied" != 0 ] || ! tail -n 1 <<<"$denied" | grep -q '^[0-9]* denied: ' || grep -q ' update:' <<<"$denied"; then
  echo "$denied"
  echo "check-run: ANSWER=deny must end with status 0 after 'denied:', its last line, and without an update" >&2
  exit 1
fi
if [ "$status_unanswered" != 0 ] || ! grep -q '^[0-9]* lapse: ' <<<"$unanswered" || grep -q ' update:' <<<"$unanswered"; then
  echo "$unanswered"
  echo "check-run: ANSWER=none must end with status 0, print 'lapse:' when the lamp is dark, and print no update" >&2
  exit 1
fi
