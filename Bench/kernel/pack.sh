#!/bin/sh
# Packs the kernel that build.sh has made into an archive for other machines: pack.sh ARCHIVE.tar.xz
# The archive names its recipe, so that find.sh can refuse it when the sources have another one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
archive=${1:?pack.sh ARCHIVE.tar.xz}
recipe=$("$here/recipe.sh")
folder=${XDG_CACHE_HOME:-$HOME/.cache}/binnacle/bench/$recipe
[ -x "$folder/linux" ] || { echo "bench: $folder holds no kernel; 'make bench-kernel' builds one" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "$recipe" >"$work/recipe"
tar -C "$folder" -cf "$work/kernel.tar" --exclude=./recipe .
tar -C "$work" -rf "$work/kernel.tar" ./recipe
xz -c "$work/kernel.tar" >"$archive"
echo "bench: $archive is of recipe $recipe"
