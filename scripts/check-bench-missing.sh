#!/bin/bash
# Checks the message of "make test-bench" where there is no kernel, or one of another recipe: one line and success, and a
# failure where the bench is required. It runs a copy of the bench in a folder of its own, with a home that is empty.
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

# An archive is taken when it names the recipe of the sources, and is refused otherwise.
kernel=$folder/somewhere/project/Bench/kernel
recipe=$("$kernel/recipe.sh")
shared=$folder/somewhere/shared/bench
mkdir -p "$shared" "$folder/built" "$folder/cache/binnacle/bench"
printf '#!/bin/sh\n' >"$folder/built/linux"
chmod 755 "$folder/built/linux"

tar -C "$folder/built" -cJf "$shared/kernel.tar.xz" .
bench 0 "kernel.tar.xz names no recipe, but the sources have recipe $recipe; 'make bench-kernel' builds"
bench 2 "names no recipe" BINNACLE_REQUIRE=bench
bench 2 "names no recipe" BINNACLE_REQUIRE=bench BINNACLE_BENCH_KERNEL="$shared/kernel.tar.xz"
echo 0123456789abcdef >"$folder/built/recipe"
tar -C "$folder/built" -cJf "$shared/kernel.tar.xz" .
bench 0 "kernel.tar.xz names recipe 0123456789abcdef, but the sources have recipe $recipe; 'make bench-kernel' builds"
echo "no archive" >"$shared/kernel.tar.xz"
bench 0 "kernel.tar.xz cannot be unpacked; 'make bench-kernel' builds"

# The archive that pack.sh makes of a built kernel fits, also when that kernel's folder names another recipe.
export XDG_CACHE_HOME=$folder/cache
cp -R "$folder/built" "$folder/cache/binnacle/bench/$recipe"
"$kernel/pack.sh" "$shared/kernel.tar.xz"
rm -r "$folder/cache/binnacle/bench/$recipe"
found=$("$kernel/find.sh")
[ "$(cat "$found/recipe")" = "$recipe" ] || { echo "check-bench-missing: a fitting archive is refused" >&2; exit 1; }
