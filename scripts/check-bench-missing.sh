#!/bin/bash
# Shows what "make test-bench" says where there is no kernel: one line and success, and a failure where the bench is
# required. It runs a copy of the bench in a folder of its own, with a home that is empty.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/home" "$folder/somewhere/project"
cp -R Makefile Bench scripts "$folder/somewhere/project"

# bench WANTED-STATUS WANTED-TEXT [VARIABLE=VALUE...]
bench() {
  local wanted=$1 text=$2 status=0 said
  shift 2
  said=$(env --ignore-environment PATH="$PATH" HOME="$folder/home" XDG_CACHE_HOME="$folder/cache" "$@" \
    make --no-print-directory -C "$folder/somewhere/project" test-bench 2>&1) || status=$?
  # make has a line of its own for a failure.
  said=$(grep --invert-match '^make: ' <<<"$said" || true)
  if [ "$status" != "$wanted" ] || [[ "$said" != *"$text"* ]] || [ "$(wc -l <<<"$said")" != 1 ]; then
    echo "check-bench-missing: with '$*' status $wanted and one line with '$text' was to be seen, not $status and:" >&2
    echo "$said" >&2
    exit 1
  fi
  echo "$said"
}

bench 0 "bench: skipped, there is no kernel; 'make bench-kernel' builds one"
bench 0 "bench: skipped, BINNACLE_BENCH_KERNEL: there is no $folder/none;" BINNACLE_BENCH_KERNEL="$folder/none"
bench 2 "BINNACLE_REQUIRE=data,bench wants it" BINNACLE_REQUIRE=data,bench
bench 2 "there is no $folder/none, and" BINNACLE_REQUIRE=bench BINNACLE_BENCH_KERNEL="$folder/none"
