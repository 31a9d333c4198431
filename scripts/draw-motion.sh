#!/bin/sh
# Draws the pictures of Docs/MOTION.md: draw-motion.sh BINNACLE_SIM RECORDINGS
# Those of recordings stay as they are where there are none.
set -eu
simulator=$1
recordings=$2
out=Docs/motion
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Debian's Python has Debian's Matplotlib; another one on PATH may have none.
draw() {
  /usr/bin/python3 scripts/draw-motion.py "$@"
}

# NAME DWELL SHEET TITLE
journey() {
  "$simulator" motion --hops --dwell "$2" "$3" >"$folder/$1.hops"
  draw journey "$3" "$folder/$1.hops" "$4" "$out/$1.svg"
  echo "$out/$1.svg"
}

# NAME DWELL SECONDS PATH TITLE
simulated() {
  "$simulator" body --path "$4" --seconds "$3" --seed 1 >"$folder/$4.csv"
  journey "$1" "$2" "$folder/$4.csv" "$5"
}

mkdir -p "$out"
simulated simulated-journey 10 480 journey 'Around the block, simulated; dwell 10 s'
simulated simulated-mast 60 1200 mast 'On a mast in the wind, simulated; dwell 60 s'
if [ -d "$recordings" ]; then
  journey recorded-drive 60 "$recordings/freematics__2021-11-21_21-45-50.csv.gz" \
    'A drive, recorded; dwell 60 s'
  journey recorded-start 10 "$recordings/wid_dot__02.csv.gz" \
    'An instrumented car, recorded without its receiver; dwell 10 s'
  "$simulator" motion-score --curve "$recordings"/*.csv.gz >"$folder/curve.csv"
  draw curve "$folder/curve.csv" "$out/curve.svg"
  echo "$out/curve.svg"
else
  echo "no recordings in $recordings: their pictures stay as they are" >&2
fi
