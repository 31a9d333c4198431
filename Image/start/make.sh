#!/bin/bash
# Makes the initial file system for a root's kernel: start/make.sh ROOT FILE
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
root=$1
file=$2
version=$(basename "$(echo "$root"/usr/lib/modules/*)")
modules=$root/usr/lib/modules/$version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{bin,sbin,dev,proc,sys,root} "$work/lib/modules/$version"
cp "$here/init" "$work/init"
cp "$root/usr/bin/busybox" "$work/bin/busybox"
ln -s busybox "$work/bin/sh"
# The kernel itself calls this program, for the checksums of ext4.
ln -s ../bin/busybox "$work/sbin/modprobe"

# A folder stands for the modules in it.
names() {
  sed '/^#/d' "$here/drivers.txt" | while read -r entry; do
    case $entry in
    */*) find "$modules/kernel/$entry" "$modules/kernel/$entry".ko* -name '*.ko*' 2>/dev/null | sed 's|.*/||; s|\.ko.*||' || true ;;
    *) echo "$entry" ;;
    esac
  done
}
names | while read -r name; do
  modprobe --dirname "$root" --set-version "$version" --show-depends "$name" 2>/dev/null || true
done | sed -n 's|^insmod \([^ ]*\).*|\1|p' | sort -u | while read -r path; do
  # The initial file system is compressed as a whole, and busybox loads plain modules.
  relative=${path#"$root"}
  relative=${relative#/usr}
  mkdir -p "$work/$(dirname "$relative")"
  case $path in
  *.xz) xz --decompress --stdout "$path" >"$work/${relative%.xz}" ;;
  *) cp "$path" "$work/$relative" ;;
  esac
done
cp "$modules"/modules.{builtin,builtin.modinfo,order} "$work/lib/modules/$version/"
depmod --basedir "$work" "$version"
(cd "$work" && find . | sort | cpio --quiet --create --format newc --owner 0:0 --reproducible) | gzip --best --no-name >"$file"
