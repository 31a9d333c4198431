# The parts that all boards of Raspberry Pi have in common. Sourced by their files.
# shellcheck shell=bash disable=SC2034,SC2153,SC2154
RECEIVER=ttyAMA0
CONSOLE=ttyGS0
# The kernel writes to the screen: the header's UART belongs to the receiver.
KERNEL_OPTIONS='console=tty0'
WIFI=yes

# Firmware and boot loader, the device tree with the wiring, and config.txt.
put_raspberry_pi() {
  local firmware
  for firmware in $FIRMWARE; do cp "$root/usr/lib/raspi-firmware/$firmware" "$boot/"; done
  cp "$root/usr/lib/u-boot/rpi_arm64/u-boot.bin" "$boot/"
  # A receiver that sends while the board starts must not stop the boot loader.
  "$here/boot-loader-settings.py" "$boot/u-boot.bin" bootdelay=-2 preboot= >"$boot/uboot.env"
  dtc -q -@ -I dts -O dtb -o "$work/wiring.dtbo" "$here/boards/parts/raspberry-pi.dtso"
  fdtoverlay -i "$root"/usr/lib/linux-image-*/broadcom/"$TREE" -o "$boot/$TREE" "$work/wiring.dtbo"
  tr ';' '\n' <<<"$CONFIG_LINES" >"$boot/config.txt"
  # The console's gadget, and the names that the profiles have from Raspberry Pi OS.
  printf '%s\n' dwc2 g_serial >"$root/usr/lib/modules-load.d/binnacle-image.conf"
  echo 'KERNEL=="ttyAMA0", SYMLINK+="serial0"' >"$root/usr/lib/udev/rules.d/61-binnacle-image.rules"
}
