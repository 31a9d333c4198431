#!/usr/bin/env python3
"""Cuts the power during updates, and checks that the board always starts the old or the new system: cut_updates.py [--cuts N]

The writes of one update are recorded with their flushes: the new system to the second slot, then the choice, as slot-choice
writes it, and what the boot loader itself writes. Each trial is a random beginning of these writes. Of the writes
after the last flush each block of 512 bytes is old, new or garbage, in any order. The next starts then follow, with the rules of boot.cmd.
Controls: the same trials without flushes, and with one block for the choice, have to fail.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path

SECTOR = 512
BLOCKS = (2048, 70 * 2048)
# The trial's slots: a few blocks stand for all, because each is as good as any other.
SLOTS = {"A": range(72 * 2048, 72 * 2048 + 24), "B": range(584 * 2048, 584 * 2048 + 24)}
SCRIPT = Path(__file__).parent / "files/usr/lib/binnacle-image/slot-choice"
FLUSH = "flush"

Blocks = dict[int, bytes]
Steps = list[tuple[int, bytes] | str]


@dataclass
class Choice:
    serial: int
    good: str
    once: str
    place: int


def content(slot: str, version: int) -> Blocks:
    return {block: f"{version}:{block}".encode().ljust(SECTOR, b".") for block in SLOTS[slot]}


def version_of(disk: Blocks, slot: str) -> int | None:
    """Returns the version of the system in a slot, or nothing if the slot is a mixture."""
    first = disk.get(SLOTS[slot][0], b"").partition(b":")[0]
    version = int(first) if first.isdigit() else -1
    return version if all(disk.get(block) == data for block, data in content(slot, version).items()) else None


def read_choice(disk: Blocks) -> Choice:
    """The reading side of boot.cmd."""
    choice = Choice(0, "A", "no", BLOCKS[1])
    for block, other in (BLOCKS, BLOCKS[::-1]):
        data = disk.get(block, bytes(SECTOR))
        if zlib.crc32(data[4:]) != int.from_bytes(data[:4], "little"):
            continue
        words = dict(item.split(b"=", 1) for item in data[4:].split(b"\0") if b"=" in item)
        if b"serial" in words and int(words[b"serial"], 16) > choice.serial:
            choice = Choice(int(words[b"serial"], 16), words[b"good"].decode(), words[b"try"].decode(), other)
    return choice


def write_choice(choice: Choice) -> tuple[int, bytes]:
    """The writing side of boot.cmd: forgets the try."""
    data = f"good={choice.good}\0serial={choice.serial + 1:x}\0try=no\0\0".encode().ljust(SECTOR - 4, b"\0")
    return choice.place, zlib.crc32(data).to_bytes(4, "little") + data


def start(disk: Blocks) -> tuple[str, Steps]:
    """One start: the slot, and what the boot loader writes before it starts the slot."""
    choice = read_choice(disk)
    if choice.once in SLOTS:
        return choice.once, [write_choice(choice), FLUSH]
    return choice.good, []


class Trial:
    """Cuts of one update."""

    def __init__(self, work: Path, seed: int, flushes: bool, blocks: int) -> None:
        self.file = work / "disk"
        self.random = random.Random(seed)
        self.flushes, self.blocks = flushes, blocks

    def change(self, disk: Blocks, *command: str) -> Steps:
        """Runs slot-choice on the disk, and returns what it has written."""
        with open(self.file, "wb") as file:
            for block in BLOCKS:
                file.seek(block * SECTOR)
                file.write(disk.get(block, bytes(SECTOR)))
        subprocess.run([SCRIPT, self.file, *command], check=True)
        with open(self.file, "rb") as file:
            for block in BLOCKS:
                file.seek(block * SECTOR)
                data = file.read(SECTOR)
                if data != disk.get(block, bytes(SECTOR)):
                    # The control with one block writes in place.
                    place = block if self.blocks == 2 else BLOCKS[0]
                    return [(place, data), FLUSH]
        return []

    def update(self, disk: Blocks, target: str, version: int) -> Steps:
        """All writes of an update that succeeds, each start of the board included."""
        now = dict(disk)
        steps: Steps = []

        def do(more: Steps) -> None:
            steps.extend(more)
            for step in more:
                if step != FLUSH:
                    now[step[0]] = step[1]

        do([*content(target, version).items(), FLUSH])
        do(self.change(now, "try", target))
        slot, writes = start(now)
        assert slot == target
        do(writes)
        do(self.change(now, "keep", target))
        assert start(now)[0] == target
        return steps

    def cut(self, disk: Blocks, steps: Steps) -> Blocks:
        """Returns the contents of the disk after a power cut at a random write."""
        # Half of the cuts are where the choice is written, which is a small part of all writes.
        first = self.random.choice([0, max(0, len(steps) - 8)])
        done = steps[: self.random.randrange(first, len(steps) + 1)]
        flushed = max((number for number, step in enumerate(done) if step == FLUSH and self.flushes), default=-1)
        after = dict(disk)
        for number, step in enumerate(done):
            if step == FLUSH:
                continue
            outcome = "new" if number < flushed else self.random.choice(["new", "old", "garbage"])
            if outcome == "new":
                after[step[0]] = step[1]
            elif outcome == "garbage":
                after[step[0]] = self.random.randbytes(SECTOR)
        return after

    def run(self, cuts: int) -> list[str]:
        """Returns the failures as sentences; an empty list without a failure."""
        disk: Blocks = {**content("A", 1), **content("B", 0)}
        for step in self.change(disk, "keep", "A"):
            if step != FLUSH:
                disk[step[0]] = step[1]
        wrong = []
        version, slot = 1, "A"
        for number in range(cuts):
            target = "B" if slot == "A" else "A"
            after = self.cut(disk, self.update(disk, target, version + 1))
            # Starts until nothing changes: the first may try the new system once.
            for _ in range(3):
                begun, writes = start(after)
                for step in writes:
                    if step != FLUSH:
                        after[step[0]] = step[1]
                found = version_of(after, begun)
                if found not in (version, version + 1):
                    wrong.append(f"cut {number}: slot {begun} has {'a mixture' if found is None else f'version {found}'}")
                    break
            else:
                disk, slot, version = after, begun, found
                continue
            disk = {**content("A", version), **content("B", version)}
        return wrong


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp())
    try:
        wrong = Trial(work, options.seed, True, 2).run(options.cuts)
        for line in wrong:
            print(f"cut-updates: {line}", file=sys.stderr)
        print(f"cut-updates: {options.cuts} power cuts, {len(wrong)} boards without the old or the new system")
        for name, flushes, blocks in (("without flushes", False, 2), ("with one block for the choice", True, 1)):
            broken = len(Trial(work, options.seed, flushes, blocks).run(options.cuts))
            print(f"cut-updates: control {name}: {broken} of {options.cuts} broken")
            if not broken:
                return 1
        return 1 if wrong else 0
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main())
