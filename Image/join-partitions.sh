#!/bin/bash
# Joins partitions to an image, sparse where it is empty: join-partitions.sh BOARD WORK FILE
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
board=$1 work=$2 file=$3
# shellcheck source=Image/layout.sh
. "$here/layout.sh"
# shellcheck source=Image/boards/qemu-virt.sh
. "$here/boards/$board.sh"

part=$file.part
rm -f "$part"
truncate --size "${IMAGE_SIZE}M" "$part"
sfdisk --quiet --no-reread --no-tell-kernel "$part" <<TABLE
label: dos
label-id: 0x$DISK
start=$((BOOT_START * 2048)), size=$((BOOT_SIZE * 2048)), type=c, bootable
start=$((ROOT_A_START * 2048)), size=$((ROOT_SIZE * 2048)), type=83
start=$((ROOT_B_START * 2048)), size=$((ROOT_SIZE * 2048)), type=83
start=$((DATA_START * 2048)), size=$((DATA_SIZE * 2048)), type=83
TABLE

# place PARTITION MIB
place() { dd if="$work/$1" of="$part" bs=1M seek="$2" conv=notrunc,sparse status=none; }
place boot.fat "$BOOT_START"
place root.ext4 "$ROOT_A_START"
# Until the first update the second slot has the same content, so that it can be chosen at any time.
place root.ext4 "$ROOT_B_START"
place data.ext4 "$DATA_START"
mv "$part" "$file"
echo "image: $file, $(stat --format %s "$file" | numfmt --to=si)B, $(du --block-size=1 "$file" | cut -f 1 | numfmt --to=si)B on the disk"
