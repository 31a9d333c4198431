# The machine "virt" of QEMU: the kernel's log on the PL011, the receiver and Binnacle's console on 16550 UARTs, and as the
# indicator a lamp of the keyboard.
# shellcheck shell=bash disable=SC2034,SC2154
DISK=b1aac1e0
RECEIVER=ttyS0
CONSOLE=ttyS1
DAEMON_OPTIONS='--board qemu-virt'
KERNEL_OPTIONS='console=ttyAMA0'
DRIVERS='8250_pci amba-pl011 virtio_net virtio_input i6300esb'
CARD_DRIVERS='virtio_blk virtio_pci'

# QEMU gets the boot loader as a file of its own, beside the image, and describes the machine itself.
put_boot_files() {
  cp "$root/usr/lib/u-boot/qemu_arm64/u-boot.bin" "$work/boot-loader"
  cp "$here/boards/qemu-virt.conf" "$root/usr/share/binnacle/boards/"
}
