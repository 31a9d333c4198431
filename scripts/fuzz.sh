#!/bin/sh
# Builds the fuzzer and runs its targets, two at a time: fuzz.sh SECONDS [TARGET...]; 0 seconds only build.
# A debug build has Swift's own checks on; AddressSanitizer sees the rest. Swift has no undefined-behavior sanitizer on Linux.
#   SWIFT, BUILD_FLAGS   the toolchain, and further flags of the build
# The corpus stays in build/fuzz/TARGET; an input that crashes is written there as crash-*.
set -eu
seconds=$1
shift
swift=${SWIFT:-swift}

# The flags are words.
# shellcheck disable=SC2086
BINNACLE_FUZZ=1 "$swift" build -c debug --disable-index-store --sanitize fuzzer --sanitize address \
  --scratch-path .build-fuzz --product binnacle-fuzz ${BUILD_FLAGS-}
program=.build-fuzz/debug/binnacle-fuzz
[ "$seconds" != 0 ] || exit 0
known=$(sed -n 's/^  case \([a-zA-Z]*\)$/\1/p' Fuzz/FuzzTarget.swift)
# The list is split into words on purpose.
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $known

for target; do
  if ! echo "$known" | grep --quiet --line-regexp "$target"; then
    echo "fuzz: there is no target $target; there are:" $known >&2
    exit 64
  fi
done

# Runs one target; its output stays together when two run at a time.
run() {
  corpus=build/fuzz/$1
  case $1 in
  # Engine and simulation are not optimized here: an input takes three times as long.
  engine | trace) time=$((seconds * 3)) ;;
  *) time=$seconds ;;
  esac
  mkdir -p "$corpus"
  # Swift's own backtracer never ends inside libFuzzer's. Memory that Swift's runtime keeps for good is no leak.
  if ! SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 BINNACLE_FUZZ_TARGET=$1 "$program" \
    "$corpus" -max_total_time="$time" -max_len=4096 -use_value_profile=1 -timeout=10 \
    -rss_limit_mb=2048 -artifact_prefix="$corpus/" -print_final_stats=1 -verbosity=0 2>"$corpus.log"
  then
    tail -n 30 "$corpus.log" >&2
    echo "fuzz: $1 failed; run it again with: SWIFT_BACKTRACE=enable=no" \
      "BINNACLE_FUZZ_TARGET=$1 $program FILE" >&2
    return 1
  fi
  count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$corpus.log")
  echo "fuzz: $1 for $time s, inputs tried: $count, corpus in $corpus"
}

status=0
while [ $# -gt 0 ]; do
  first=$1
  shift
  run "$first" &
  process=$!
  if [ $# -gt 0 ]; then
    run "$1" || status=1
    shift
  fi
  wait "$process" || status=1
done
exit "$status"
