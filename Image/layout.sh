# The layout of every image, in MiB and in blocks of 512 bytes. Sourced by the scripts beside it.
# The two blocks with the choice of the slot stand apart, outside of all partitions.
# shellcheck shell=bash disable=SC2034
BLOCK1=2048            # 1 MiB
BOOT_START=4           # FAT: firmware, boot loader, the owner's settings
BOOT_SIZE=64
BLOCK2=$((70 * 2048))  # behind the FAT
ROOT_A_START=72
ROOT_SIZE=512
ROOT_B_START=$((ROOT_A_START + ROOT_SIZE))
DATA_START=$((ROOT_B_START + ROOT_SIZE))
DATA_SIZE=256
IMAGE_SIZE=$((DATA_START + DATA_SIZE))
