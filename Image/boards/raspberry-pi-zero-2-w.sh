# Raspberry Pi Zero 2 W.
# shellcheck shell=bash disable=SC2034,SC2154
# shellcheck source=Image/boards/parts/raspberry-pi-header-uart.sh
. "$here/boards/parts/raspberry-pi-header-uart.sh"
DISK=b1aac1e2
# QEMU's machine with the same processor.
EMULATOR=raspi3b
DAEMON_OPTIONS='--board raspberry-pi-zero-2-w'
TREES=bcm2837-rpi-zero-2-w.dtb
FIRMWARE='bootcode.bin start.elf fixup.dat'
CONFIG_LINES="arm_64bit=1;kernel=u-boot.bin;device_tree=$TREES;enable_uart=1;gpu_mem=16"
BOOT_FILES="config.txt u-boot.bin uboot.env $TREES $FIRMWARE"
