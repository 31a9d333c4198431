#!/usr/bin/env python3
"""Lets the boot loader itself read choices of the slot: check-boot-loader.py BOOT_LOADER BOOT_SCRIPT_OF_IMAGE

The rules of boot.cmd stand a second time in cut_updates.py, for the power cuts. Here the real boot loader starts in QEMU on disks
with old, new, torn and missing choices, and has to choose the same slot and write the same block.
"""

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cut_updates as cuts
from disk import SECTOR, Disk

HERE = Path(__file__).parent

# Each case is a life: commands of slot-choice, and "tear N", which overwrites a block with garbage.
CASES = [
    [], ["try B"], ["try B", "keep B"], ["keep B", "try A"], ["keep B", "tear 0"], ["keep B", "tear 1"], ["try B", "tear 0"],
    ["keep A", "keep B", "tear 0"], ["keep A", "keep B", "tear 1"], ["keep A", "try B", "tear 0", "tear 1"],
    ["keep A"] * 9 + ["keep B", "try A"], ["keep B"] * 16 + ["try A"],
]


def blocks_of(disk: Path) -> dict[int, bytes]:
    with open(disk, "rb") as file:
        found = {}
        for block in cuts.BLOCKS:
            file.seek(block * SECTOR)
            found[block] = file.read(SECTOR)
        return found


def live(disk: Path, life: list[str]) -> None:
    for step in life:
        name, word = step.split()
        if name == "tear":
            with open(disk, "r+b") as file:
                file.seek(cuts.BLOCKS[int(word)] * SECTOR)
                file.write(random.Random(7).randbytes(SECTOR))
        else:
            subprocess.run([cuts.SCRIPT, disk, name, word], check=True)


def started_slot(boot_loader: str, disk: Path, work: Path) -> str:
    log = work / "log"
    log.unlink(missing_ok=True)
    process = subprocess.Popen([
        "qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53", "-m", "256", "-display", "none", "-nic", "none", "-no-reboot",
        "-bios", boot_loader, "-serial", f"file:{log}", "-drive", f"file={disk},if=none,id=disk,format=raw",
        "-device", "virtio-blk-pci,drive=disk,romfile="])
    try:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            text = log.read_text(errors="replace") if log.exists() else ""
            if "does not start" in text:
                return text.split("Starting slot ")[1][0]
            time.sleep(0.2)
        raise TimeoutError(f"the boot loader has chosen no slot: {text[-2000:]}")
    finally:
        process.kill()
        process.wait()


def main() -> int:
    boot_loader, image = sys.argv[1], Path(sys.argv[2])
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        disk = work / "disk.img"
        for life in CASES:
            # Table and FAT of the image; its slots stay empty, so that the boot loader stops after its choice.
            source = Disk(image)
            with open(image, "rb") as whole, open(disk, "wb") as part:
                part.write(whole.read(source.start(2)))
                part.truncate(image.stat().st_size)
            live(disk, life)
            expected, writes = cuts.start(blocks_of(disk))
            after = {**blocks_of(disk), **{step[0]: step[1] for step in writes if step != cuts.FLUSH}}
            found = started_slot(boot_loader, disk, work)
            is_right = found == expected and blocks_of(disk) == after
            wrong += not is_right
            print(f"check-boot-loader: {'right' if is_right else 'WRONG'}: {' '.join(life[-4:]) or 'no choice'}: slot {found}", flush=True)
    print(f"check-boot-loader: {len(CASES) - wrong} of {len(CASES)} choices as in cut_updates.py")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
