# Raspberry Pi 4.
# shellcheck shell=bash disable=SC2034,SC2154
# shellcheck source=Image/boards/parts/raspberry-pi.sh
. "$here/boards/parts/raspberry-pi.sh"
DISK=b1aac1e4
DAEMON_OPTIONS='--board raspberry-pi-4'
TREE=bcm2711-rpi-4-b.dtb
FIRMWARE='start4.elf fixup4.dat'
CONFIG_LINES="arm_64bit=1;kernel=u-boot.bin;device_tree=$TREE;enable_uart=1;gpu_mem=16"
BOOT_FILES="config.txt u-boot.bin uboot.env $TREE $FIRMWARE"
put_boot_files() { put_raspberry_pi; }
