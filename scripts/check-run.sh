#!/bin/bash
# Shows that "make run" runs as long as it was told to, and that its app gets locations, a stationary one when the board has
# come to rest, then nothing, and locations again when it drives on.
#   check-run.sh SECONDS
set -uo pipefail
cd "$(dirname "$0")/.."
seconds=$1
began=$SECONDS
said=$(scripts/run-virtual-board.sh --seconds "$seconds" --log '' --speed '' --generation '' --seed '' |
  while IFS= read -r line; do echo "$(date +%s%3N) $line"; done)
status=$?
took=$((SECONDS - began))

# What stands above the app's own lines fits a terminal. The folder for temporary files may have a longer name than /tmp.
if sed -n -e "s|${TMPDIR:-/tmp}/|/tmp/|g" -e '1,/^[0-9]* app: /p' <<<"$said" | cut -d ' ' -f 2- | grep '.\{81\}'; then
  echo "check-run: the banner has more than 80 columns there" >&2
  exit 1
fi

# The board's own line has values from the report, which keys that were renamed or moved would leave empty.
for wanted in 'board:    HOME was pressed: short; status light: [a-z]' 'accelerometer: [A-Z0-9]* [a-z]'; do
  if ! grep --quiet "$wanted" <<<"$said"; then
    echo "$said"
    echo "check-run: no line has '$wanted'" >&2
    exit 1
  fi
done

# Milliseconds of each location, and which of them came with the news of a rest, which is the line behind it.
if awk -v status="$status" -v took="$took" -v seconds="$seconds" '
  $2 ~ /^[0-9]+:$/ && / ± / { at[++count] = $1 }
  $2 == "resting:" { if (!rest) rest = count; rests++ }
  END {
    silence = rest && rest < count ? at[rest + 1] - at[rest] : 0
    printf "run: status %d, %d s, %d locations, %d rests; %d locations before the first, then %d ms of silence, then %d\n",
      status, took, count, rests, rest - 1, silence, count - rest
    exit !(status == 0 && took >= seconds && rest > 4 && silence >= 4000 && count - rest >= 2)
  }' <<<"$said"; then exit; fi
echo "$said"
echo "check-run: status 0 after $seconds s was to be seen, with locations, a rest, 4 s of silence, and locations again" >&2
exit 1
