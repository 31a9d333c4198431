#!/bin/bash
# Opens the report of a simulated board in headless Chromium: check-report.sh BIN_FOLDER OUTPUT_FOLDER
# Leaves the page and screenshots for a wide screen, a phone, and a dark screen in the output folder.
set -euo pipefail
bin=$(readlink -f "$1")
mkdir -p "$2"
out=$(readlink -f "$2")
work=$(mktemp -d)
processes=()
finish() {
  for process in "${processes[@]}"; do kill "$process" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT

fail() {
  echo "check-report: $*"
  exit 1
}

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  fail "there is no Chromium; 'make deps-pictures' installs it"

mkdir -m 700 "$work/run" "$work/state" "$work/etc"
sed -e 's/^#\[Track\]/[Track]/' -e 's/^#Track=full/Track=full/' boards/desk.conf >"$work/etc/report.conf"
"$bin/binnacle-sim" receiver --generation m10 --seed 7 --tty "$work/gnss" >"$work/sim.log" 2>&1 &
processes+=($!)
for _ in $(seq 100); do [ -e "$work/gnss" ] && break || sleep 0.1; done
"$bin/binnacled" --board "$work/etc/report.conf" --receiver "$work/gnss" --runtime "$work/run" --state "$work/state" \
  >"$work/daemon.log" 2>&1 &
processes+=($!)
for _ in $(seq 100); do [ -S "$work/run/socket" ] || [ -n "$(ls "$work/run")" ] && break || sleep 0.1; done
"$bin/binnacle" watch --operator --count "${POSITIONS:-75}" --runtime "$work/run" >/dev/null ||
  fail "the simulated board has no positions: $(tail -n 3 "$work/daemon.log")"

"$bin/binnacle" report --html "$out/report.html" --runtime "$work/run" --state "$work/state" 2>"$work/said" ||
  fail "no page: $(cat "$work/said")"
for part in '>Track</h2>' '>Satellites</h2>' '>Day</h2>' '<h2>Facts</h2>' 'data-positions=' 'data-used='; do
  grep -q "$part" "$out/report.html" || fail "the page has no $part: $(cat "$work/said")"
done
if grep -q -E '<script|<link|<img|<iframe|@import|url\(| src=| href=' "$out/report.html"; then
  fail "the page refers to something outside of it"
fi

# shot NAME WIDTH HEIGHT OPTIONS...
shot() {
  name=$1 width=$2 height=$3
  shift 3
  "$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --no-first-run \
    --user-data-dir="$work/browser-$name" --host-resolver-rules='MAP * ~NOTFOUND' "$@" \
    --window-size="$width,$height" --screenshot="$out/$name.png" "file://$out/report.html" >"$work/browser.log" 2>&1 ||
    fail "the browser has not taken $name: $(tail -n 3 "$work/browser.log")"
  size=$(stat -c %s "$out/$name.png")
  # An empty page is a few kilobytes.
  [ "$size" -gt 20000 ] || fail "the screenshot $name is empty ($size bytes)"
}
shot wide 1000 2600
shot phone 500 4200
shot dark 1000 2600 --blink-settings=preferredColorScheme=0
"$browser" --headless=new --no-sandbox --disable-gpu --no-first-run --user-data-dir="$work/browser-dom" \
  --host-resolver-rules='MAP * ~NOTFOUND' --dump-dom "file://$out/report.html" >"$work/dom" 2>/dev/null
grep -q '</svg>' "$work/dom" || fail "the browser shows no drawing"
echo "check-report: $out/report.html ($(stat -c %s "$out/report.html") bytes), wide.png, phone.png, dark.png"
