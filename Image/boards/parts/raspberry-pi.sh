# The parts that all boards of Raspberry Pi have in common. Sourced by their files.
# shellcheck shell=bash disable=SC2034,SC2153,SC2154
# The kernel writes to the screen: the UARTs belong to the receiver and to Binnacle's console.
KERNEL_OPTIONS='console=tty0'
WIFI=yes

# put_firmware OVERLAY: firmware and boot loader, config.txt, and the wiring as an overlay of the device tree.
put_firmware() {
  local firmware
  for firmware in $FIRMWARE; do cp "$root/usr/lib/raspi-firmware/$firmware" "$boot/"; done
  cp "$root/usr/lib/u-boot/rpi_arm64/u-boot.bin" "$boot/"
  # A receiver that sends while the board starts must not stop the boot loader.
  "$here/boot-loader-settings.py" "$boot/u-boot.bin" bootdelay=-2 preboot= >"$boot/uboot.env"
  tr ';' '\n' <<<"$CONFIG_LINES" >"$boot/config.txt"
  dtc -q -@ -I dts -O dtb -o "$work/wiring.dtbo" "$here/boards/parts/$1.dtso"
}

# put_tree NAME [SOURCE]: a device tree of the kernel with the wiring.
put_tree() { fdtoverlay -i "$root"/usr/lib/linux-image-*/broadcom/"${2-$1}" -o "$boot/$1" "$work/wiring.dtbo"; }
