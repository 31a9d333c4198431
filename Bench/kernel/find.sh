#!/bin/sh
# Prints the folder of the bench's kernel and its modules; status 1 when there is none, with the reason if there is one.
# Looked for: BINNACLE_BENCH_KERNEL (a folder or a .tar.xz), what build.sh has made, ../shared/bench/kernel.tar.xz
# seen from the project's root. An archive must say in its file "recipe" that it is of this recipe; pack.sh makes one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/binnacle/bench
recipe=$("$here/recipe.sh")

has_kernel() {
  for program in "$1"/linux*; do
    [ -f "$program" ] && [ -x "$program" ] && return 0
  done
  return 1
}

# An archive is unpacked once, under its sum.
unpacked() {
  folder=$cache/unpacked-$(sha256sum "$1" | cut -c 1-16)
  if ! has_kernel "$folder"; then
    mkdir -p "$cache"
    fresh=$(mktemp -d "$cache/unpacking.XXXXXX")
    if ! tar -C "$fresh" -xf "$1" 2>/dev/null; then
      rm -rf "$fresh"
      echo "bench: $1 cannot be unpacked" >&2
      exit 1
    fi
    chmod 755 "$fresh"
    mv -T "$fresh" "$folder" 2>/dev/null || rm -rf "$fresh"
  fi
  built=$(cat "$folder/recipe" 2>/dev/null || true)
  if [ "$built" != "$recipe" ]; then
    echo "bench: $1 names ${built:+recipe }${built:-no recipe}, but the sources have recipe $recipe" >&2
    exit 1
  fi
  echo "$folder"
}

archive=$(cd "$here/../../.." && pwd)/shared/bench/kernel.tar.xz
if [ -n "${BINNACLE_BENCH_KERNEL-}" ]; then
  if [ -d "$BINNACLE_BENCH_KERNEL" ]; then
    folder=$BINNACLE_BENCH_KERNEL
  elif [ -f "$BINNACLE_BENCH_KERNEL" ]; then
    folder=$(unpacked "$BINNACLE_BENCH_KERNEL")
  else
    echo "bench: BINNACLE_BENCH_KERNEL: there is no $BINNACLE_BENCH_KERNEL" >&2
    exit 1
  fi
elif has_kernel "$cache/$recipe"; then
  folder=$cache/$recipe
elif [ -f "$archive" ]; then
  folder=$(unpacked "$archive")
else
  exit 1
fi
has_kernel "$folder" || { echo "bench: there is no kernel in $folder" >&2; exit 1; }
echo "$folder"
