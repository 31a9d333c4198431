#!/bin/sh
# Prints the folder of the bench's kernel and its modules; status 1 when there is none yet.
# Looked for: BINNACLE_BENCH_KERNEL (a folder or a .tar.xz), what build.sh has made, ../shared/bench/kernel.tar.xz
# seen from the project's root.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/binnacle/bench

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
    tar -C "$fresh" -xf "$1"
    chmod 755 "$fresh"
    mv -T "$fresh" "$folder" 2>/dev/null || rm -rf "$fresh"
  fi
  echo "$folder"
}

if [ -n "${BINNACLE_BENCH_KERNEL-}" ]; then
  if [ -d "$BINNACLE_BENCH_KERNEL" ]; then
    folder=$BINNACLE_BENCH_KERNEL
  elif [ -f "$BINNACLE_BENCH_KERNEL" ]; then
    folder=$(unpacked "$BINNACLE_BENCH_KERNEL")
  else
    echo "bench: BINNACLE_BENCH_KERNEL: there is no $BINNACLE_BENCH_KERNEL" >&2
    exit 1
  fi
elif has_kernel "$cache/$("$here/recipe.sh")"; then
  folder=$cache/$("$here/recipe.sh")
elif [ -f "$here/../../../shared/bench/kernel.tar.xz" ]; then
  folder=$(unpacked "$here/../../../shared/bench/kernel.tar.xz")
else
  exit 1
fi
has_kernel "$folder" || { echo "bench: there is no kernel in $folder" >&2; exit 1; }
echo "$folder"
