#!/bin/sh
# Prints the sizes of the programs in the packages, and fails if those of the package "binnacle" are a larger download than a
# board should need:
#   program-sizes.sh RELEASE
# RELEASE is the folder where "make release" has built the programs. They are linked, stripped and compressed as for the packages;
# nothing is compiled but the choice of the program. "make deb" prints the sizes of whole packages.
#   DOWNLOAD_MAX   another limit
set -eu
release=$1
. "$(dirname "$0")/download-max.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# row PACKAGE FILE: strips the file, and prints a line; the compressed size is then in $download.
row() {
  strip --strip-unneeded --remove-section=.comment "$2"
  # As dpkg-deb does.
  download=$(xz --threads=0 -6 --stdout "$2" | wc -c)
  printf 'sizes: %-13s %-38s %11d %11d\n' "$1" "$(basename "$2")" "$(stat -c %s "$2")" "$download"
}

# judge BYTES LIMIT
judge() {
  [ "$1" -gt "$2" ] || return 0
  echo "program-sizes: the programs of the package binnacle are a download of $1 bytes, more than $2" >&2
  return 1
}

printf 'sizes: %-13s %-38s %11s %11s\n' package file bytes download
cp "$release/binnacle-sim" "$work/binnacle-sim"
row binnacle-sim "$work/binnacle-sim" &
"$(dirname "$0")/link-programs.sh" "$release" "$work/binnacle" binnacle binnacled binnacle-launch
row binnacle "$work/binnacle"
wait $!
if judge "$download" 1 2>/dev/null; then
  echo "program-sizes: a limit of one byte is not kept" >&2
  exit 70
fi
judge "$download" "$download_max"
