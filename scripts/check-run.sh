#!/bin/bash
# Shows that "make run" runs as long as it was told to, and that its app gets locations all that time.
#   check-run.sh SECONDS
set -uo pipefail
cd "$(dirname "$0")/.."
seconds=$1
began=$SECONDS
said=$(scripts/run-virtual-board.sh --seconds "$seconds" --log '' --speed '' --generation '' --seed '')
status=$?
locations=$(grep --count --extended-regexp '^[0-9]+: .* ± ' <<<"$said")
echo "run: status $status, $((SECONDS - began)) s, $locations lines with a location"
# The simulated receiver starts hot: half the time is far more than it needs for its first fix.
if [ "$status" != 0 ] || [ $((SECONDS - began)) -lt "$seconds" ] || [ "$locations" -lt $((seconds / 2)) ]; then
  echo "$said"
  echo "check-run: status 0 after $seconds s with $((seconds / 2)) locations was to be seen" >&2
  exit 1
fi
