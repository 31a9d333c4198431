#!/usr/bin/env python3
"""Starts the system of any board's image in QEMU as far as its daemon: check-boot.py BOARD IMAGE

QEMU's machine "virt" gets kernel, initial file system and options from slot A, and the image as its disk. It has none of the board's
hardware, so the console and the network of the board may fail; kernel, mounts, personalization and daemon have to work.
The control is a slot without a place for the boot partition, which has to be found.

A copy without a file system on /data has to say so, and to start again. A board with EMULATOR= in its file also starts on that machine of QEMU, with
its own device tree and from a card.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from check import settings
from disk import SECTOR, Disk
from machine import QEMU, Failure, until

SLOT_A, DATA = 2, 4
SECONDS = 600
# A start, and the delay of binnacle-start-again.service.
RESTART_SECONDS = SECONDS + 300
# Units that need hardware of the board.
MAY_FAIL = ("binnacle-console@", "wpa_supplicant@")
STARTED = "daemon: version"


def say(text: str) -> None:
    print(f"check-boot: {text}", flush=True)


def virt(disk: Disk) -> list[str]:
    """Returns the command of a machine without the board's hardware."""
    return [*QEMU, "-nic", "none", "-drive", f"file={disk.path},if=virtio,format=raw"]


def raspberry_pi(machine: str, tree: str, disk: Disk, work: Path) -> list[str]:
    """Returns the command of a machine with the board's processor and device tree, and enlarges the disk to a card that QEMU accepts."""
    path = work / tree
    path.write_bytes(disk.boot_bytes(tree))
    # QEMU connects its card to the controller of the Wi-Fi, too, and restarts the machine when the watchdog is started.
    for node in ("/soc/mmc@7e300000", "/soc/watchdog@7e100000"):
        subprocess.run(["fdtput", "-t", "s", str(path), node, "status", "disabled"], check=True)
    # The size has to be a power of two.
    os.truncate(disk.path, 1 << (disk.path.stat().st_size - 1).bit_length())
    return ["qemu-system-aarch64", "-M", machine, "-display", "none", "-nic", "none", "-dtb", str(path), "-drive", f"file={disk.path},if=sd,format=raw"]


def started(machine: list[str], disk: Disk, work: Path, until_restart: bool = False) -> str:
    """Starts the disk, and returns what the machine has printed until the daemon runs, or until the system ends for another start."""
    for name in ("vmlinuz", "initrd.img"):
        disk.save(SLOT_A, f"/boot/{name}", work / name)
    own = [option for option in disk.text(SLOT_A, "/boot/options").removeprefix("options=").split() if not option.startswith(("console=", "quiet"))]
    options = [f"root=PARTUUID={disk.identifier}-0{SLOT_A}", "binnacle.slot=A", *own, "console=ttyAMA0", "systemd.journald.forward_to_console=1"]
    log = work / "log"
    log.unlink(missing_ok=True)
    process = subprocess.Popen([
        *machine, "-no-reboot", "-snapshot", "-serial", f"file:{log}", "-kernel", str(work / "vmlinuz"),
        "-initrd", str(work / "initrd.img"), "-append", " ".join(options)], stderr=subprocess.DEVNULL)
    try:
        def is_there() -> bool:
            if process.poll() is not None:
                raise Failure("the machine has ended: " + log.read_text(errors="replace")[-500:])
            return log.exists() and STARTED in log.read_text(errors="replace")
        if until_restart:
            until(RESTART_SECONDS, "another start", lambda: process.poll() is not None)
        else:
            until(SECONDS, "the daemon's start", is_there)
    finally:
        process.terminate()
        process.wait()
    return re.sub(r"\x1b\[[0-9;:?]*[A-Za-z]", "", log.read_text(errors="replace"))


def failures(text: str) -> list[str]:
    """Returns the units that have failed, and what personalization complains of."""
    found = re.findall(r"systemd\[1\]: Failed to (?:start|mount) (.*)", text) + re.findall(r"personalize\[\d+\]: (.*)", text)
    return [line.strip() for line in found if not line.startswith(MAY_FAIL)]


def copy_of(image: Path, path: Path) -> Disk:
    subprocess.run(["cp", "--sparse=always", str(image), str(path)], check=True)
    return Disk(path)


def is_restarted_without_data(disk: Disk, work: Path) -> bool:
    """Destroys the file system of /data with all copies of its superblock, and starts the disk."""
    with open(disk.path, "r+b") as file:
        file.seek(disk.start(DATA))
        for _ in range(disk.partitions[DATA - 1]["size"] * SECTOR >> 20):
            file.write(bytes(1 << 20))
    text = started(virt(disk), disk, work, until_restart=True)
    return "/data cannot be mounted" in text and STARTED not in text


def is_well(name: str, text: str) -> bool:
    """Prints the failures of a start, and a line about it."""
    wrong = failures(text)
    for line in wrong:
        print(f"check-boot: {line}", file=sys.stderr)
    kernel, daemon = (re.search(pattern, text) for pattern in (r"Linux version (\S+)", rf"{STARTED} .*"))
    say(f"{name}: kernel {kernel[1] if kernel else 'unknown'}; {daemon[0].strip() if daemon else ''}; {len(wrong)} failures")
    return not wrong


def main() -> int:
    board, image = sys.argv[1], Path(sys.argv[2])
    wanted = settings(board, "EMULATOR", "TREES")
    with tempfile.TemporaryDirectory(dir=image.parent) as folder:
        work = Path(folder)
        copy = work / "copy.img"
        try:
            disk = Disk(image)
            is_right = is_well(board, started(virt(disk), disk, work))
            if wanted["EMULATOR"]:
                card = copy_of(image, copy)
                machine = raspberry_pi(wanted["EMULATOR"], wanted["TREES"], card, work)
                is_right = is_well(f"{board} as {wanted['EMULATOR']}", started(machine, card, work)) and is_right
            fault = copy_of(image, copy)
            fault._debug(SLOT_A, "rmdir /boot/firmware", writes=True)
            found = any("/boot/firmware" in line for line in failures(started(virt(fault), fault, work)))
            say("control: a slot without a place for the boot partition is " + ("found" if found else "not found"))
            starts_again = is_restarted_without_data(copy_of(image, copy), work)
            say("a board without a file system on /data " + ("starts again" if starts_again else "does not start again"))
        except Failure as failure:
            print(f"check-boot: {failure}", file=sys.stderr)
            return 1
        return 0 if is_right and found and starts_again else 1


if __name__ == "__main__":
    sys.exit(main())
