#!/usr/bin/env python3
"""Measures what an idle board writes to its card, and names the files: idle-writes.py IMAGE SIMULATOR [--seconds N]

QEMU records all writes of the disk. The board is measured from 3 minutes after its start, without an app, and then with an app that has the location.
Writes to the state log count apart. The rest must be at most LIMIT bytes in a day. The board keeps the times of files in memory and
writes them twice a day (lazytime): the bytes of a "sync" at the end count twice. The control is a writer on the board, which has to exceed the
limit and to be named.
"""

import argparse
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from disk import SECTOR, Disk, output_of
from machine import Failure, Machine, until
from recording import Recording, Write
from run import Owner

DAY = 86_400
LIMIT = 1_000_000
SETTLED_SECONDS = 180
DATA = 4
STATE = "/binnacle/"
WRITER = "/data/log/written-all-day"


def say(text: str) -> None:
    print(f"idle-writes: {text}", flush=True)


class Places:
    """Which file or structure each block of the disk belongs to."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        start = disk.start(DATA)
        self.first = start // SECTOR
        self.partition = f"{disk.path}?offset={start}"
        # The changes in the journal go to their places, as the next start does it.
        subprocess.run(["/sbin/e2fsck", "-p", self.partition], capture_output=True, check=False)
        described = output_of("/sbin/dumpe2fs", "-h", self.partition)
        self.block = int(dict(line.split(":", 1) for line in described.splitlines() if ":" in line)["Block size"]) // SECTOR

    def pieces(self, write: Write) -> list[tuple[int, int]]:
        """Returns the blocks of a write: first sector, bytes. All partitions begin at a block."""
        end = write.sector + write.count
        cuts = sorted({write.sector, end, *(sector for sector in range(write.sector, end) if sector % self.block == 0)})
        return [(first, (last - first) * SECTOR) for first, last in zip(cuts, cuts[1:])]

    def debug(self, request: str) -> list[list[str]]:
        """Returns the rows of a table that debugfs prints, without its heading."""
        return [line.split("\t") for line in output_of("/sbin/debugfs", "-R", request, self.partition).splitlines()[1:]]

    def names(self, writes: list[Write]) -> dict[int, str]:
        """Returns a name for the first sector of each block of the writes."""
        found = {sector: self.partition_name(sector) for write in writes for sector, _ in self.pieces(write)}
        blocks = {sector: (sector - self.first) // self.block for sector, name in found.items() if name == "data"}
        if not blocks:
            return found
        owners = {int(block): inode for block, inode in self.debug("icheck " + " ".join(map(str, sorted(set(blocks.values())))))}
        inodes = sorted({inode for inode in owners.values() if inode.isdecimal() and inode != "8"}, key=int)
        paths = {inode: path.replace("//", "/") for inode, path in self.debug("ncheck " + " ".join(inodes))} if inodes else {}
        for sector, block in blocks.items():
            inode = owners[block]
            found[sector] = ("ext4: journal" if inode == "8" else paths.get(inode, f"inode {inode}") if inode.isdecimal()
                             else "ext4: superblock" if block * self.block <= 2 < (block + 1) * self.block else "ext4: inodes, bitmaps, groups")
        return found

    def partition_name(self, sector: int) -> str:
        for number, part in enumerate(self.disk.partitions, 1):
            if part["start"] <= sector < part["start"] + part["size"]:
                return {1: "boot partition", 2: "slot A", 3: "slot B"}.get(number, "data")
        return "between the partitions"


class Phase:
    """The writes of an interval."""

    def __init__(self, writes: list[tuple[float, Write]], seconds: float) -> None:
        self.writes, self.seconds = writes, seconds

    def bytes_by_name(self, places: Places) -> Counter[str]:
        names = places.names([write for _, write in self.writes])
        count: Counter[str] = Counter()
        for _, write in self.writes:
            for sector, size in places.pieces(write):
                count[names[sector]] += size
        return count


class IdleBoard(Owner):
    """A board that is left alone."""

    def start(self) -> None:
        path = self.work / "writes"
        self.machine = Machine(self.disk, self.boot_loader, self.receiver.line, self.work, self.key, "idle", path)
        until(600, "login by key", self.machine.answers)
        until(300, "the first location", lambda: self.first_fix(self.machine))
        until(SETTLED_SECONDS, "an idle board", lambda: float(self.machine.run("cut -d ' ' -f 1 /proc/uptime").stdout) > SETTLED_SECONDS)
        self.recording = Recording(path)

    def watch(self, seconds: float, command: str = "true") -> Phase:
        """Notes the writes of a command on the board and of the next seconds, with their times."""
        self.recording.read_on()
        seen = len(self.recording.steps)
        writes = []
        began = time.monotonic()
        self.machine.run(command)
        while (passed := time.monotonic() - began) < seconds:
            time.sleep(min(1, seconds - passed))
            self.recording.read_on()
            new = [step for step in self.recording.steps[seen:] if step]
            seen = len(self.recording.steps)
            writes += [(time.monotonic() - began, step) for step in new]
        return Phase(writes, seconds)

    def describe(self) -> None:
        mount = self.machine.run("findmnt --noheadings --output OPTIONS /data").stdout.strip()
        expiry = self.machine.run("cat /proc/sys/vm/dirtytime_expire_seconds").stdout.strip()
        timers = json.loads(self.machine.run("systemctl list-timers --output=json").stdout)
        say(f"/data: {mount}; times of files are written each {expiry} s; timers: " + (", ".join(t["unit"] for t in timers) or "none"))
        self.flushes_a_day = DAY / int(expiry)

    def measure(self) -> int:
        self.describe()
        # The commits after a start, and the first commits of an app, are no writes of an idle board.
        self.watch(SETTLED_SECONDS)
        phases = [self.watch_day("without an app")]
        self.use_app()
        self.watch(SETTLED_SECONDS)
        phases.append(self.watch_day("with an app that has the location"))
        writer = f"while :; do date | dd of={WRITER} conv=notrunc; sync {WRITER}; sleep 10; done"
        control = self.watch(60, f"systemd-run --quiet --unit=writer sh -c '{writer}'")
        self.machine.run("systemctl stop writer; sync")
        self.machine.end()
        places = Places(Disk(self.disk))
        rest = max(self.report(places, *phase) for phase in phases)
        counted = control.bytes_by_name(places)
        bad = rest_of(counted) * DAY / control.seconds
        say(f"control: with a write each 10 s the rest is {bad / 1e6:.1f} MB a day: " + ", ".join(f"{name} {count}" for name, count in counted.items()))
        return 0 if rest <= LIMIT < bad and WRITER.removeprefix("/data") in counted else 1

    def watch_day(self, name: str) -> tuple[str, Phase, Phase]:
        """Returns the writes of the interval, and those of the times of files."""
        return name, self.watch(self.idle), self.watch(10, "sync")

    def report(self, places: Places, title: str, idle: Phase, flush: Phase) -> float:
        """Prints what a day writes, and returns the part outside of the state log."""
        counted, lazily = idle.bytes_by_name(places), flush.bytes_by_name(places)
        say(f"{title}, {idle.seconds:.0f} s: {len(idle.writes)} writes, {sum(counted.values())} bytes")
        names = places.names([write for _, write in idle.writes])
        for moment, write in idle.writes:
            what = dict.fromkeys(names[sector] for sector, _ in places.pieces(write))
            say(f"  after {moment:5.0f} s  {write.count * SECTOR:7} bytes  {', '.join(what)}")
        a_day = Counter({name: counted[name] * DAY / idle.seconds + lazily[name] * self.flushes_a_day for name in counted | lazily})
        for name, count in sorted(a_day.items()):
            say(f"  a day {count:9.0f} bytes  {name} ({counted[name]} in the interval, {lazily[name]} by sync)")
        rest = rest_of(a_day)
        say(f"{title}: the state log writes {(a_day.total() - rest) / 1e6:.2f} MB a day, the rest {rest / 1e6:.2f} MB, at most {LIMIT / 1e6:.0f} MB")
        return rest


def rest_of(counted: Counter[str]) -> float:
    """Returns the bytes outside of the state log."""
    return sum(count for name, count in counted.items() if not name.startswith(STATE))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("image", type=Path)
    parser.add_argument("simulator")
    parser.add_argument("--seconds", type=int, default=900)
    options = parser.parse_args()
    # The machine ends with this program, however that ends.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    work = Path(tempfile.mkdtemp(prefix="idle-writes-"))
    board = IdleBoard(options.image.resolve(), options.simulator, options.seconds, work)
    try:
        board.personalize()
        board.start()
        return board.measure()
    except (Failure, subprocess.TimeoutExpired) as failure:
        print(f"idle-writes: {failure}", file=sys.stderr)
        return 1
    finally:
        board.end()
        shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main())
