#!/bin/bash
# Builds the image of a board: build.sh BOARD PROGRAMS FILE
# PROGRAMS is a folder with the package binnacle_VERSION_arm64.deb, or with the programs for arm64 in the layout of
# "make install DESTDIR=...".
# Needs no root and no loop device: the root file system is made in a user namespace, the partitions by mke2fs and mtools.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
board=$1
programs=$(readlink -f "$2")
file=$3
if [ ! -r "$here/boards/$board.sh" ]; then
  echo "image: there is no board $board; boards: $(cd "$here/boards" && echo *.sh | sed 's/\.sh//g')" >&2
  exit 64
fi
if [ ! -d "$programs" ]; then
  echo "image: $2 is no folder with the programs for arm64" >&2
  exit 66
fi

# The tar of a list of packages is kept; another list gets another tar.
key=$(cat "$here/packages.txt" "$here/root.sh" | sha256sum | cut -c 1-16)
tar=${XDG_CACHE_HOME:-$HOME/.cache}/binnacle/image/root-$key.tar
[ -e "$tar" ] || "$here/root.sh" "$tar"

# A board that this kernel does not drive names the suite of another one.
# shellcheck source=Image/boards/raspberry-pi-5.sh
. "$here/boards/$board.sh"
export KERNEL_TAR=
if [ -n "${KERNEL_SUITE-}" ]; then
  KERNEL_TAR=$(dirname "$tar")/kernel-$KERNEL_SUITE-$(sha256sum "$here/kernel.sh" | cut -c 1-16).tar
  [ -e "$KERNEL_TAR" ] || "$here/kernel.sh" "$KERNEL_SUITE" "$KERNEL_TAR"
fi

# The version that an update shows, and the format of the state log that its programs read and write.
sources=$here/../Sources
IMAGE_VERSION=${IMAGE_VERSION:-$(sed -n 's/.*version = "\(.*\)"/\1/p' "$sources/Model/Release.swift")$(git -C "$here" log -1 --format=-%h 2>/dev/null || true)}
STATE_FORMATS=$(sed -n 's/.*static let major: UInt8 = //p' "$sources/StateLog/BlockHeader.swift")
export IMAGE_VERSION STATE_FORMATS

mkdir -p "$(dirname "$file")"
work=$(mktemp --directory "$(readlink -f "$(dirname "$file")")/work.XXXXXX")
trap '"$here/in-namespace.py" rm -rf "$work"' EXIT
"$here/in-namespace.py" "$here/make-partitions.sh" "$board" "$programs" "$tar" "$work"
"$here/join-partitions.sh" "$board" "$work" "$file"
[ ! -e "$work/boot-loader" ] || mv "$work/boot-loader" "${file%.img}.boot-loader"
[ -z "${NOTE-}" ] || echo "image: $NOTE"
