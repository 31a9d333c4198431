#!/bin/bash
# Cross-builds for arm64 on a bare Debian 13 and compares with this machine under qemu's emulation of a process:
#   check-arm64.sh PROGRAM     the program "binnacle" of this machine
# Each recording must decode to the same bytes. A simulated receiver, the daemon and a client run together. The tests of the
# modules that only calculate pass, and an app that lists the package runs. Speed under emulation says nothing. Needs root,
# and 8 GB on first use.
#   BINNACLE_TEST_DATA   the recordings, else ../shared/data
#   BUILT=yes            the arm64 programs are built already
set -euo pipefail
cd "$(dirname "$0")/.."

# decoded PROGRAM FILE PATH: what the program prints of a recording, its complaints and its status, in PATH.*
decoded() {
  local status=0
  $1 decode - <"$2" >"$3.out" 2>"$3.err" || status=$?
  echo "$status" >"$3.status"
}

if [ "$1" != --inside ]; then
  logs=("${BINNACLE_TEST_DATA:-../shared/data}"/ublox/logs/*)
  [ -e "${logs[0]}" ] || { echo "check-arm64: there are no recordings at ${logs[0]}" >&2; exit 66; }
  rm -rf build/in
  mkdir -p build/in
  for log in "${logs[@]}"; do
    cp "$log" "build/in/$(basename "$log")"
    decoded "$1" "$log" "build/in/$(basename "$log").native"
  done
  exec scripts/in-debian13.sh env BINNACLE_ROOT_OF_DEBIAN13=yes BUILT="${BUILT-}" scripts/check-arm64.sh --inside
fi
sdks=/usr/local/lib/swift-sdks
work=$(mktemp -d)
processes=()
clean_up() {
  [ ${#processes[@]} = 0 ] || kill "${processes[@]}" 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT

fail() {
  echo "check-arm64: $1" >&2
  exit 1
}
say() { echo "check-arm64: $1"; }

scripts/install-packages.sh build
scripts/make-arm64-sdk.sh "$sdks"
make --no-print-directory release toolset ARCH=arm64 BUILT="${BUILT-}"
for program in binnacled binnacle-launch binnacle binnacle-sim; do
  readelf --file-header ".build-arm64/release/$program" | grep -q AArch64 || fail "$program is not for arm64"
done
path=$(readelf --dynamic build/toolset-arm64/lib/libCoreLocation.so | sed -n 's/.*RUNPATH.*\[\(.*\)\]/\1/p')
case $path in
*"$sdks"*) fail "the client library looks for Swift in the SDK: $path" ;;
esac

# ---- Recordings
bytes=0 count=0
for native in build/in/*.native.out; do
  log=${native%.native.out}
  decoded "qemu-aarch64 .build-arm64/release/binnacle" "$log" "$work/arm64"
  for part in out err status; do
    cmp "$log.native.$part" "$work/arm64.$part" || fail "$log decodes otherwise on arm64"
  done
  bytes=$((bytes + $(stat -c %s "$work/arm64.out"))) count=$((count + 1))
done
say "$count recordings decode to the same bytes, $bytes, with the same complaints and status"
# A difference of one byte must be noticed.
printf 'x' >>"$work/arm64.out"
if cmp -s "$native" "$work/arm64.out"; then fail "a difference is not noticed"; fi

# ---- Daemon, client and simulator
# In the background, where "exec" makes the emulator the process that a signal reaches.
run() { exec qemu-aarch64 ".build-arm64/release/$1" "${@:2}"; }
# wait_for SECONDS WHAT COMMAND...
wait_for() {
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    [ $SECONDS -lt $end ] || { cat "$work"/*.log; fail "not within the time: $what"; }
    sleep 0.2
  done
}
run binnacle-sim receiver --generation m10 --seed 7 --tty "$work/gnss" >"$work/receiver.log" 2>&1 &
processes+=($!)
wait_for 60 "the simulated receiver" test -e "$work/gnss"
start=$SECONDS
run binnacled --receiver "$work/gnss" --runtime "$work/run" --state "$work/state" >"$work/daemon.log" 2>&1 &
daemon=$!
processes+=("$daemon")
wait_for 60 "the daemon" test -S "$work/run/binnacle.sock"
timeout 120 qemu-aarch64 .build-arm64/release/binnacle watch --operator --json --count 3 --runtime "$work/run" >"$work/watch" ||
  { cat "$work"/*.log; fail "the client has ended with $?"; }
[ "$(grep -c '"latitude"' "$work/watch")" = 3 ] || fail "the client has other than 3 locations"
say "simulator, daemon and client: 3 locations, $((SECONDS - start)) s after the start of the daemon"
kill "$daemon"
status=0
wait "$daemon" || status=$?
[ "$status" = 0 ] || fail "the daemon has ended with $status"
say "the daemon has stopped with status 0"

# ---- An app that lists the package
scripts/build-app.sh Tests/Dependent arm64
readelf --file-header build/out/route-arm64 | grep -q AArch64 || fail "the app is not for arm64"
BINNACLE_RUNTIME=$work/run timeout 120 qemu-aarch64 build/out/route-arm64 || fail "the app has ended with $?"
rm build/out/route-arm64
say "an app that lists the package has run"

# ---- Tests
# All tests of the package are one program, so everything is built. Tests that wait for the kernel prove nothing under the
# emulation of a process.
tests='^(Basics|Geodesy|I2C|NMEA|UBX|Wire)Tests\.'
# Foundation, which tests of the client library use, needs it.
apt-get -qq install --yes --no-install-recommends libxml2:arm64 >/dev/null
[ -n "${BUILT-}" ] || make --no-print-directory build-tests ARCH=arm64 WHOLE=1 >"$work/build.log" 2>&1 ||
  { tail -n 40 "$work/build.log"; fail "the tests do not build"; }
runtime=$sdks/binnacle-arm64.artifactbundle/arm64/sysroot/usr/lib/swift/linux
qemu-aarch64 -E LD_LIBRARY_PATH="$runtime" .build-arm64/debug/*.xctest --testing-library swift-testing --filter "$tests" \
  >"$work/tests.log" 2>&1 ||
  { grep -E 'recorded an issue|failed after|rror' "$work/tests.log" | cut -c 1-300 | head -n 40 || true; fail "tests fail"; }
say "$(grep -o 'Test run with [0-9]* tests.*' "$work/tests.log")"
