#!/usr/bin/env python3
"""Starts the system of any board's image in QEMU as far as its daemon: check-boot.py BOARD IMAGE

QEMU's machine "virt" gets kernel, initial file system and options from slot A, and the image as its disk. It has none of the board's
hardware, so the console and the network of the board may fail; kernel, mounts, personalization and daemon have to work.
The control is a slot without a place for the boot partition, which has to be found.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from disk import Disk
from machine import QEMU, Failure, until

SLOT_A = 2
SECONDS = 400
# Units that need hardware of the board.
MAY_FAIL = ("binnacle-console@", "wpa_supplicant@")
STARTED = "daemon: version"


def say(text: str) -> None:
    print(f"check-boot: {text}", flush=True)


def started(disk: Disk, work: Path) -> str:
    """Starts the disk, and returns what the machine has printed until the daemon runs."""
    for name in ("vmlinuz", "initrd.img"):
        disk.save(SLOT_A, f"/boot/{name}", work / name)
    own = [option for option in disk.text(SLOT_A, "/boot/options").removeprefix("options=").split() if not option.startswith(("console=", "quiet"))]
    options = [f"root=PARTUUID={disk.identifier}-0{SLOT_A}", "binnacle.slot=A", *own, "console=ttyAMA0", "systemd.journald.forward_to_console=1"]
    log = work / "log"
    log.unlink(missing_ok=True)
    process = subprocess.Popen([
        *QEMU, "-nic", "none", "-no-reboot", "-snapshot", "-serial", f"file:{log}", "-kernel", str(work / "vmlinuz"),
        "-initrd", str(work / "initrd.img"), "-append", " ".join(options), "-drive", f"file={disk.path},if=virtio,format=raw"],
        stderr=subprocess.DEVNULL)
    try:
        def is_there() -> bool:
            if process.poll() is not None:
                raise Failure("the machine has ended: " + log.read_text(errors="replace")[-500:])
            return log.exists() and STARTED in log.read_text(errors="replace")
        until(SECONDS, "the daemon's start", is_there)
    finally:
        process.terminate()
        process.wait()
    return re.sub(r"\x1b\[[0-9;:?]*[A-Za-z]", "", log.read_text(errors="replace"))


def failures(text: str) -> list[str]:
    """Returns the units that have failed, and what personalization complains of."""
    found = re.findall(r"systemd\[1\]: Failed to (?:start|mount) (.*)", text) + re.findall(r"personalize\[\d+\]: (.*)", text)
    return [line.strip() for line in found if not line.startswith(MAY_FAIL)]


def main() -> int:
    board, image = sys.argv[1], Path(sys.argv[2])
    with tempfile.TemporaryDirectory(dir=image.parent) as folder:
        work = Path(folder)
        try:
            text = started(Disk(image), work)
            wrong = failures(text)
            for line in wrong:
                print(f"check-boot: {line}", file=sys.stderr)
            kernel, daemon = (re.search(pattern, text) for pattern in (r"Linux version (\S+)", rf"{STARTED} .*"))
            say(f"{board}: kernel {kernel[1] if kernel else 'unknown'}; {daemon[0].strip() if daemon else ''}; {len(wrong)} failures")
            copy = work / "fault.img"
            subprocess.run(["cp", "--sparse=always", str(image), str(copy)], check=True)
            fault = Disk(copy)
            fault._debug(SLOT_A, "rmdir /boot/firmware", writes=True)
            found = any("/boot/firmware" in line for line in failures(started(fault, work)))
        except Failure as failure:
            print(f"check-boot: {failure}", file=sys.stderr)
            return 1
        say("control: a slot without a place for the boot partition is " + ("found" if found else "not found"))
        return 0 if found and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
