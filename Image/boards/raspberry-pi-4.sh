# Raspberry Pi 4.
# shellcheck shell=bash disable=SC2034,SC2154
# shellcheck source=Image/boards/parts/raspberry-pi-header-uart.sh
. "$here/boards/parts/raspberry-pi-header-uart.sh"
DISK=b1aac1e4
DAEMON_OPTIONS='--board raspberry-pi-4'
TREES=bcm2711-rpi-4-b.dtb
FIRMWARE='start4.elf fixup4.dat'
CONFIG_LINES="arm_64bit=1;kernel=u-boot.bin;device_tree=$TREES;enable_uart=1;gpu_mem=16"
BOOT_FILES="config.txt u-boot.bin uboot.env $TREES $FIRMWARE"
