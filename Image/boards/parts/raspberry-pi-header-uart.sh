# The boards of Raspberry Pi whose header has a UART of the processor itself, which every kernel drives. Sourced by their files.
# shellcheck shell=bash disable=SC2034,SC2153,SC2154
# shellcheck source=Image/boards/parts/raspberry-pi.sh
. "$here/boards/parts/raspberry-pi.sh"
RECEIVER=ttyAMA0
CONSOLE=ttyGS0
# Nodes of the device tree: path, property, value.
WIRING='/soc/serial@7e201000 status okay
/soc/serial@7e201000/bluetooth status disabled
/soc/serial@7e215040 status disabled
/soc/i2c@7e804000 status okay
/soc/usb@7e980000 dr_mode peripheral
/pps compatible pps-gpio
/chosen stdout-path serial0:115200n8'
DRIVERS='pinctrl-bcm2835 i2c-bcm2835 amba-pl011 pps-gpio dwc2 g_serial brcmfmac bcm2835_wdt'
CARD_DRIVERS='mmc_block sdhci-iproc'

put_boot_files() {
  put_firmware raspberry-pi
  put_tree "$TREES"
  # The console's gadget, and the names that the profiles have from Raspberry Pi OS.
  printf '%s\n' dwc2 g_serial >"$root/usr/lib/modules-load.d/binnacle-image.conf"
  echo 'KERNEL=="ttyAMA0", SYMLINK+="serial0"' >"$root/usr/lib/udev/rules.d/61-binnacle-image.rules"
}
