#!/bin/sh
# Builds the fuzzer and runs its targets: fuzz.sh SECONDS [TARGET...]
# What it learned stays in build/fuzz/TARGET; an input that crashes is written there as crash-*.
set -eu
seconds=$1
shift
swift=${SWIFT:-swift}

BINNACLE_FUZZ=1 "$swift" build -c release --sanitize fuzzer --scratch-path .build-fuzz \
  --product binnacle-fuzz
program=.build-fuzz/release/binnacle-fuzz
known=$(sed -n 's/^  case \([a-zA-Z]*\)$/\1/p' Fuzz/FuzzTarget.swift)
# The list is split into words on purpose.
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $known

for target; do
  if ! echo "$known" | grep --quiet --line-regexp "$target"; then
    echo "fuzz: there is no target $target; there are:" $known >&2
    exit 64
  fi
  corpus=build/fuzz/$target
  mkdir -p "$corpus"
  echo "fuzz: $target for $seconds s, corpus in $corpus"
  # Swift's own backtracer never ends inside libFuzzer's.
  if ! SWIFT_BACKTRACE=enable=no BINNACLE_FUZZ_TARGET=$target "$program" "$corpus" \
    -max_total_time="$seconds" -max_len=4096 -use_value_profile=1 -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="$corpus/" -print_final_stats=1 -verbosity=0 2>"$corpus.log"; then
    tail -n 30 "$corpus.log" >&2
    echo "fuzz: $target failed; run it again with: SWIFT_BACKTRACE=enable=no" \
      "BINNACLE_FUZZ_TARGET=$target $program FILE" >&2
    exit 1
  fi
  sed -n 's/^stat::number_of_executed_units: */fuzz: inputs tried: /p' "$corpus.log"
done
