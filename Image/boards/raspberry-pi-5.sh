# Raspberry Pi 5. Its header is on a chip of its own, the RP1, which Debian 13's kernel does not drive. The kernel of its backports
# drives the lines and the I2C bus, but not the UART; so the receiver is on the I2C bus, and the console at the three-pin connector.
# shellcheck shell=bash disable=SC2034,SC2154
# shellcheck source=Image/boards/parts/raspberry-pi.sh
. "$here/boards/parts/raspberry-pi.sh"
DISK=b1aac1e5
KERNEL_SUITE=trixie-backports
RECEIVER=i2c
CONSOLE=ttyAMA10
DAEMON_OPTIONS='--board raspberry-pi-5'
# Of two steppings of the processor, by the names that the firmware looks for. The firmware itself is in the board's own memory.
TREES='bcm2712-rpi-5-b.dtb bcm2712d0-rpi-5-b.dtb'
FIRMWARE=
CONFIG_LINES='arm_64bit=1;kernel=u-boot.bin;enable_uart=1'
BOOT_FILES="config.txt u-boot.bin uboot.env $TREES"
NOTE='this kernel does not drive the UART of the header: wire the receiver to the I2C bus, pins 3 and 5, or use one on USB (Docs/IMAGE.md)'
rp1='/axi/pcie@1000120000/pci@0,0/dev@0,0/pci-ep-bus@1'
WIRING="$rp1/i2c@40074000 status okay
$rp1/i2c@40074000 clock-frequency 100000
/aliases i2c1 $rp1/i2c@40074000
/soc@107c000000/serial@7d001000 status okay
/aliases serial10 /soc@107c000000/serial@7d001000
/pps compatible pps-gpio
/chosen stdout-path serial10:115200n8"
DRIVERS='rp1_pci clk-rp1 pinctrl-rp1 irq-bcm2712-mip i2c-designware-platform amba-pl011 pps-gpio macb xhci-plat-hcd dwc3 brcmfmac bcm2835_wdt'
CARD_DRIVERS='mmc_block sdhci-brcmstb pinctrl-brcmstb-bcm2712 gpio-brcmstb gpio-regulator fixed'

put_boot_files() {
  put_firmware raspberry-pi-5
  put_tree bcm2712-rpi-5-b.dtb
  put_tree bcm2712d0-rpi-5-b.dtb bcm2712-d-rpi-5-b.dtb
  # In place of the profile for Raspberry Pi's own kernel.
  cp "$here/boards/raspberry-pi-5.conf" "$root/usr/share/binnacle/boards/"
}
