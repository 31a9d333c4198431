# The script of the boot loader: it chooses a slot, and starts the kernel that is in this slot's root.
#
# Two blocks of 512 bytes between the partitions hold the choice, each with a checksum: serial, good, try. The valid block
# with the higher serial (a hexadecimal number) counts; the other block is the next to be written, so that a torn write leaves the older choice.
#   good   the slot that is started: A or B
#   try    the slot that is started once instead, or "no". It is forgotten before the slot is started.
# Docs/IMAGE.md describes the life of an update.

# Addresses for a kernel of up to 64 MiB. The memory of a Raspberry Pi starts at 0, that of "virt" at 1 GiB.
if test "${devtype}" = mmc; then
  setenv kernel 0x08000000; setenv ramdisk 0x0c000000; setenv text 0x0e000000; setenv block 0x0e100000
else
  setenv kernel 0x48000000; setenv ramdisk 0x4c000000; setenv text 0x4e000000; setenv block 0x4e100000
fi
${devtype} dev ${devnum}

setenv serial1 0
setenv serial2 0
setenv good1 A
setenv good2 A
setenv try1 no
setenv try2 no
setenv serial 0
if ${devtype} read ${block} @BLOCK1@ 1 && env import -c ${block} 0x200 serial good try; then
  setenv serial1 ${serial}; setenv good1 ${good}; setenv try1 ${try}
fi
if ${devtype} read ${block} @BLOCK2@ 1 && env import -c ${block} 0x200 serial good try; then
  setenv serial2 ${serial}; setenv good2 ${good}; setenv try2 ${try}
fi
if test 0x${serial2} -gt 0x${serial1}; then
  setenv serial ${serial2}; setenv good ${good2}; setenv try ${try2}; setenv older @BLOCK1@
else
  setenv serial ${serial1}; setenv good ${good1}; setenv try ${try1}; setenv older @BLOCK2@
fi

setenv slot ${good}
if test "${try}" = A || test "${try}" = B; then
  setenv trial ${try}
  setenv try no
  setexpr next ${serial} + 1
  setenv serial ${next}
  # A slot is tried only if the next start is certain to know that it was.
  env export -c -s 0x200 ${block} serial good try
  if ${devtype} write ${block} ${older} 1; then setenv slot ${trial}; fi
fi

setenv part 2
if test "${slot}" = B; then setenv part 3; fi
echo "Starting slot ${slot} (good: ${good})"
if load ${devtype} ${devnum}:${part} ${kernel} /boot/vmlinuz; then
  load ${devtype} ${devnum}:${part} ${text} /boot/options
  env import -t ${text} ${filesize} options
  load ${devtype} ${devnum}:${part} ${ramdisk} /boot/initrd.img
  setenv bootargs "root=PARTUUID=@DISK@-0${part} binnacle.slot=${slot} ${options}"
  booti ${kernel} ${ramdisk}:${filesize} ${fdt_addr}
fi
echo "Slot ${slot} does not start"
sleep 5
reset
