# Names and functions of the scripts for updates, which source this file.
# shellcheck shell=sh disable=SC2034
lib=/usr/lib/binnacle-image
updates=/data/update
trial=$updates/trial

# value NAME FILE: the value of the first line NAME=VALUE.
value() { sed -n "s/^$1=//p" "$2" | head -n 1; }

# The slot of the running system, as the boot loader has named it.
slot=$(sed -n 's/^\(.* \)\{0,1\}binnacle\.slot=\([AB]\)\( .*\)\{0,1\}$/\2/p' /proc/cmdline)
# The disk that has the root's partition.
disk=/dev/$(basename "$(readlink -f "/sys/dev/block/$(mountpoint -d /)/..")")

# choice NAME: serial, good or try.
choice() { "$lib/slot-choice" "$disk" show | sed -n "s/^$1=//p"; }

# keep_file FILE: replaces it by the standard input, as a whole and on the disk.
keep_file() {
  cat >"$1.new"
  sync "$1.new"
  mv "$1.new" "$1"
  sync "$(dirname "$1")"
}
