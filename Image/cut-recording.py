#!/usr/bin/env python3
"""Cuts the power in a recorded update: cut-recording.py FOLDER BINNACLE [--cuts N] [--boot N --loader FILE --simulator PROGRAM]

FOLDER is from run-update.py: the disk before an update, and all writes and flushes of the update, its trial and the start after it, those of the boot
loader and of /data included. Each cut is a random beginning of the writes; half of them are near a change of the choice. Of the writes after the
last flush each sector is old or new. Then the slot that the boot loader chooses has to be the old or the new system, to the byte, and /data has
to be whole: the file system, the state log, the keys and the record of the trial.
Controls: without flushes, and with a choice that is written before the slot, systems have to be found that are neither old nor new; and overwritten
blocks of the state log have to be found.
"""

import argparse
import mmap
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cut_updates as cuts
from disk import SECTOR, Disk
from machine import Failure, Machine, Receiver, until
from recording import Recording

HERE = Path(__file__).parent

APP = "org.example.route"
PARTITIONS = {"A": 2, "B": 3}
DATA = 4
KEPT = ("/ssh/authorized_keys", "/update/keys", "/settings/apps.d/route.app", "/name")


class Board:
    """A disk on which cuts are tried, one after another."""

    def __init__(self, folder: Path, work: Path, binnacle: Path) -> None:
        self.folder, self.work, self.binnacle = folder, work, binnacle
        self.recording = Recording(folder / "writes")
        self.path = work / "disk"
        subprocess.run(["cp", "--sparse=always", str(folder / "disk"), str(self.path)], check=True)
        self.disk = Disk(self.path)
        self.systems = {name: self.mapped(folder / name) for name in ("old", "new")}
        self.before = {path: self.disk.text(DATA, path) for path in KEPT}
        self.done = 0

    def mapped(self, path: Path) -> mmap.mmap:
        with open(path, "rb") as file:
            return mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)

    def advance(self, end: int) -> None:
        """Puts all writes before a step on the disk."""
        with open(self.path, "r+b") as disk:
            for step in self.recording.steps[self.done:end]:
                if step:
                    disk.seek(step.sector * SECTOR)
                    disk.write(self.recording.data(step))
        self.done = max(self.done, end)

    def unflushed(self, first: int, end: int, chance: random.Random) -> dict[int, bytes]:
        """Returns sectors of these steps that have reached the disk, in any order."""
        sectors: dict[int, bytes] = {}
        for step in self.recording.steps[first:end]:
            if not step:
                continue
            data = self.recording.data(step)
            for number in range(step.count):
                if chance.random() < 0.5:
                    sectors[step.sector + number] = data[number * SECTOR:(number + 1) * SECTOR]
        return sectors

    def exchange(self, sectors: dict[int, bytes]) -> dict[int, bytes]:
        """Writes sectors, and returns what they have held."""
        found = {}
        with open(self.path, "r+b") as disk:
            for sector, data in sorted(sectors.items()):
                disk.seek(sector * SECTOR)
                found[sector] = disk.read(SECTOR)
                disk.seek(sector * SECTOR)
                disk.write(data)
        return found

    # The checks.

    def system_in(self, slot: str) -> str:
        start, size = self.disk.start(PARTITIONS[slot]), len(self.systems["old"])
        names = list(self.systems)
        with open(self.path, "rb") as disk:
            disk.seek(start)
            for place in range(0, size, 1 << 22):
                data = disk.read(1 << 22)
                names = [name for name in names if self.systems[name][place:place + (1 << 22)] == data]
                if not names:
                    return "a mixture"
        return names[0]

    def started(self) -> list[tuple[str, str]]:
        """Three starts by the rules of the boot loader: slots and their systems."""
        blocks = {}
        with open(self.path, "rb") as disk:
            for block in cuts.BLOCKS:
                disk.seek(block * SECTOR)
                blocks[block] = disk.read(SECTOR)
        slots = []
        for _ in range(3):
            slot, writes = cuts.start(blocks)
            blocks.update(step for step in writes if step != cuts.FLUSH)
            slots.append(slot)
        return [(slot, self.system_in(slot)) for slot in dict.fromkeys(slots)]

    def check_data(self) -> list[str]:
        """The file system of /data as the next start repairs it, and the files in it."""
        part = self.work / "data"
        entry = self.disk.partitions[DATA - 1]
        subprocess.run(["dd", f"if={self.path}", f"of={part}", "bs=1M", f"skip={entry['start'] // 2048}", f"count={entry['size'] // 2048}",
                        "conv=sparse", "status=none"], check=True)
        # The command of the board's start, with the kernel's option fsck.repair=yes.
        status = subprocess.run(["/sbin/e2fsck", "-y", str(part)], capture_output=True, check=False).returncode
        wrong = [] if status in (0, 1) else [f"e2fsck of /data ends with {status}"]
        status = subprocess.run(["/sbin/e2fsck", "-f", "-n", str(part)], capture_output=True, check=False).returncode
        wrong += [] if status == 0 else [f"/data is damaged after its repair: {status}"]

        def text(path: str) -> bytes:
            return subprocess.run(["/sbin/debugfs", "-R", f"cat {path}", str(part)], capture_output=True, check=True).stdout
        for path, content in self.before.items():
            wrong += [] if text(path).decode() == content else [f"{path} has changed"]
        log = self.work / "state.log"
        subprocess.run(["/sbin/debugfs", "-R", f"dump /binnacle/state.log {log}", str(part)], capture_output=True, check=True)
        state = subprocess.run([str(self.binnacle), "state", "check", str(log), "--json"], capture_output=True, text=True, check=False)
        if state.returncode != 0 or '"log.verdict":"whole"' not in state.stdout:
            wrong.append(f"the state log: {state.stdout[:200]}{state.stderr}")
        record = text("/update/trial").decode()
        if record and not record.startswith("target=B\nversion=good\n"):
            wrong.append(f"the record of the trial is {record[:60]!r}")
        return wrong


class Cuts:
    """Random cuts of a recording, in the order of their places."""

    def __init__(self, board: Board, count: int, seed: int) -> None:
        self.board = board
        self.chance = random.Random(seed)
        steps = board.recording.steps
        choices = [number for number, step in enumerate(steps) if step and step.sector in cuts.BLOCKS]
        self.first_choice = choices[0] if choices else len(steps)
        near = [max(0, min(len(steps), self.chance.choice(choices) + self.chance.randrange(-3, 5))) for _ in range(count // 2)]
        self.places = sorted(near + [self.chance.randrange(len(steps) + 1) for _ in range(count - len(near))])

    def run(self, keep: set[int], folder: Path) -> tuple[dict[str, int], list[str]]:
        """Returns how often each system is started, and what is wrong."""
        board, steps = self.board, self.board.recording.steps
        counts: dict[str, int] = {}
        wrong = []
        for number, place in enumerate(self.places):
            flushed = max((n for n in range(place) if steps[n] is None), default=0)
            board.advance(flushed)
            before = board.exchange(board.unflushed(flushed, place, self.chance))
            started = board.started()
            # A slot on trial that never ends is one start; the next are those of the good slot.
            name = " then ".join(system for _, system in started)
            counts[name] = counts.get(name, 0) + 1
            faults = board.check_data()
            if "mixture" in name:
                faults.append(f"slots and systems: {started}")
            wrong += [f"cut {number} behind write {place}: {fault}" for fault in faults]
            if number in keep:
                subprocess.run(["cp", "--sparse=always", str(board.path), str(folder / f"cut-{number}")], check=True)
            board.exchange(before)
        return counts, wrong

    def control_without_flushes(self, count: int) -> int:
        """Nothing of the update is certain to be on the disk."""
        board = self.board
        broken = 0
        end = len(board.recording.steps)
        for _ in range(count):
            before = board.exchange(board.unflushed(0, self.chance.randrange(self.first_choice, end + 1), self.chance))
            broken += any(system == "a mixture" for _, system in board.started())
            board.exchange(before)
        return broken

    def control_with_early_choice(self, count: int) -> int:
        """The choice of the new slot is on the disk before the first write to the slot."""
        board, steps = self.board, self.board.recording.steps
        early = {step.sector: board.recording.data(step) for step in steps[self.first_choice:self.first_choice + 1]}
        broken = 0
        for _ in range(count):
            end = self.chance.randrange(self.first_choice)
            before = board.exchange({**board.unflushed(0, end, self.chance), **early})
            broken += any(system == "a mixture" for _, system in board.started())
            board.exchange(before)
        return broken

    def control_with_damaged_data(self, count: int) -> int:
        """Blocks of the state log that have been overwritten: the checks of /data have to find them."""
        board = self.board
        start = board.disk.start(DATA)
        data = board.disk.bytes_at(start, board.disk.partitions[DATA - 1]["size"] * SECTOR)
        blocks = [place for place in range(0, len(data), SECTOR) if data.startswith(b"BnkS", place)]
        broken = 0
        for _ in range(count):
            place = self.chance.choice(blocks)
            before = board.exchange({(start + place) // SECTOR: self.chance.randbytes(SECTOR)})
            broken += bool(board.check_data())
            board.exchange(before)
        return broken


def boot(disk: Path, loader: Path, simulator: str, folder: Path, work: Path) -> str:
    """Starts a disk after a cut in QEMU, and returns what the board says about itself."""
    receiver = Receiver(simulator, work)
    machine = Machine(disk, loader, receiver.line, work, folder / "key", disk.name)
    try:
        until(600, "login by key", machine.answers)
        until(120, "the daemon", lambda: machine.run("binnacle grants", must_succeed=False).returncode == 0)
        if APP not in machine.run("binnacle grants").stdout:
            raise Failure("the grant is lost")
        until(300, "the app", lambda: '"latitude"' in machine.run(f"binnacle output {APP}", must_succeed=False).stdout)
        return "; ".join(machine.run("binnacle-update status").stdout.strip().splitlines())
    finally:
        machine.end()
        receiver.end()
        receiver.line.unlink(missing_ok=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("binnacle", type=Path)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--boot", type=int, default=0)
    parser.add_argument("--loader", type=Path)
    parser.add_argument("--simulator")
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="cut-recording-"))
    keep = True
    try:
        board = Board(options.folder, work, options.binnacle)
        trial = Cuts(board, options.cuts, options.seed)
        writes = [step for step in board.recording.steps if step]
        print(f"cut-recording: {len(writes)} writes with {sum(step.count for step in writes) * SECTOR / 1e6:.1f} MB, "
              f"{len(board.recording.steps) - len(writes)} flushes", flush=True)
        for name, control in (("without flushes", trial.control_without_flushes), ("with the choice before the slot", trial.control_with_early_choice),
                              ("with damaged state", trial.control_with_damaged_data)):
            broken = control(20)
            print(f"cut-recording: control {name}: {broken} of 20 boards found broken", flush=True)
            if not broken:
                raise Failure("a control has found nothing")
        kept = set(range(options.cuts // 20, options.cuts, max(1, options.cuts // max(1, options.boot)))) if options.boot else set()
        counts, wrong = trial.run(kept, work)
        for line in wrong:
            print(f"cut-recording: {line}", file=sys.stderr)
        print(f"cut-recording: {options.cuts} power cuts, {len(wrong)} faults; the next starts have the systems: "
              + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())), flush=True)
        for disk in sorted(work.glob("cut-*")):
            began = time.monotonic()
            status = boot(disk, options.loader, options.simulator, options.folder, work)
            print(f"cut-recording: {disk.name} in QEMU: {status} ({time.monotonic() - began:.0f} s)", flush=True)
            disk.unlink()
        keep = bool(wrong)
        return 1 if wrong else 0
    except (Failure, subprocess.TimeoutExpired) as failure:
        print(f"cut-recording: {failure}; the logs and the disks are in {work}", file=sys.stderr)
        return 1
    finally:
        if not keep:
            shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main())
