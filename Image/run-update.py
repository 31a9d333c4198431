#!/usr/bin/env python3
"""Updates the image of qemu-virt as its owner does: run-update.py IMAGE SIMULATOR FOLDER

A good system that is kept, a changed bundle, a system without its daemon and a system that does not start, which the board leaves by
itself. FOLDER gets the disk before the first update and all its writes, for cut-recording.py.
"""

import argparse
import importlib.util
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from disk import Disk
from machine import Failure, Machine, until
from run import APP, Owner

HERE = Path(__file__).parent
NOISE_MIB = 48

spec = importlib.util.spec_from_file_location("make_update", HERE / "make-update.py")
assert spec and spec.loader
make_update = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_update)


def say(text: str) -> None:
    print(f"run-update: {text}", flush=True)


class Updater(Owner):
    """An owner with a key for updates."""

    def __init__(self, image: Path, simulator: str, work: Path, folder: Path) -> None:
        super().__init__(image, simulator, 0, work)
        self.image, self.folder = image, folder
        self.recording = folder / "writes"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        # The key of the login, for boots of cut disks.
        shutil.copy(self.key, folder)
        subprocess.run([str(HERE / "files/usr/sbin/binnacle-update"), "--make-key", str(work)], input=b"\n\n", capture_output=True, check=True)

    def personalize(self) -> None:
        super().personalize()
        disk = Disk(self.disk)
        key = (self.work / "update-key.pub").read_text().strip()
        disk.put_boot_text("binnacle.txt", disk.boot_text("binnacle.txt") + f"update-key={key}\n")

    def noise(self) -> Path:
        """A file that an update has to write to the card, because no older system has it."""
        path = self.work / "noise"
        path.write_bytes(random.Random(7).randbytes(NOISE_MIB << 20))
        return path

    def bundle(self, version: str, *requests: str) -> Path:
        """Makes a bundle of the image's system with another version, and with changes in the words of debugfs."""
        copy, system = self.work / "changed.img", self.work / "system"
        subprocess.run(["cp", "--sparse=always", str(self.image), str(copy)], check=True)
        disk = Disk(copy)
        system.write_text(re.sub("version=.*", f"version={version}", disk.text(2, make_update.SYSTEM)))
        disk.put_file(2, make_update.SYSTEM, system)
        if requests:
            disk._debug(2, *requests, writes=True)
        file = self.work / f"{version}.update"
        make_update.bundle_of(copy, self.work / "update-key", file)
        # The old system and the new one, which the cuts compare with.
        for name, source in (("old", self.image), ("new", copy)):
            if version == "good":
                start = Disk(source).start(2)
                (self.folder / name).write_bytes(Disk(source).bytes_at(start, disk.partitions[1]["size"] * 512))
        copy.unlink()
        return file

    # The steps.

    def live_with_old(self) -> None:
        """The disk of a board in use: an app is allowed, and gets the location in the background."""
        machine = self.power_on("old")
        until(600, "login by key", machine.answers)
        until(300, "the first location", lambda: self.first_fix(machine))
        self.use_app()
        time.sleep(35)
        machine.run("sync")
        machine.end()
        subprocess.run(["cp", "--sparse=always", str(self.disk), str(self.folder / "disk")], check=True)

    def refuse_changed(self, bundle: Path) -> None:
        machine = self.machine
        changed = self.work / "changed.update"
        content = bytearray(bundle.read_bytes())
        content[200] ^= 1
        changed.write_bytes(content)
        result = machine.run("binnacle-update -", given=changed, must_succeed=False)
        if result.returncode != 77 or "nothing was written" not in result.stderr:
            raise Failure(f"a changed bundle: {result.returncode} {result.stdout}{result.stderr}")
        say("changed bundle: " + result.stderr.strip())

    def send(self, bundle: Path) -> None:
        """Updates over the network. The restart may end the connection before the command ends."""
        self.wait_for_app()
        began = time.time()
        # With a limit that a program fails at which keeps the bundle in memory.
        result = self.machine.run("systemd-run --quiet --pipe --wait --property=MemoryMax=32M binnacle-update -", given=bundle, seconds=900,
                                  must_succeed=False)
        if "the next start tries" not in result.stdout:
            raise Failure(f"update: {result.returncode} {result.stdout}{result.stderr}")
        for line in result.stdout.splitlines():
            say(line.removeprefix("binnacle-update: "))
        say(f"the bundle has {bundle.stat().st_size / 1e6:.1f} MB; it was written in {time.time() - began:.0f} s (emulated)")

    def wait_for_app(self) -> None:
        until(300, "the app", lambda: f'"{APP}"' in self.machine.run("binnacle apps --json", must_succeed=False).stdout and self.app_has_location())

    def wait_for_status(self, text: str, seconds: float) -> None:
        began = time.time()
        status = ""

        def is_there() -> bool:
            nonlocal status
            try:
                status = self.machine.run("binnacle-update status", seconds=30, must_succeed=False).stdout
            except subprocess.TimeoutExpired:
                return False
            return text in status
        try:
            until(seconds, text, is_there)
        except Failure as failure:
            raise Failure(f"{failure}: {status}") from failure
        say(f"after {time.time() - began:.0f} s: " + "; ".join(status.strip().splitlines()))

    def check_app(self) -> None:
        """The app and its grant have outlasted the update, and no process of the update is left."""
        self.wait_for_app()
        if APP not in self.machine.run("binnacle grants").stdout:
            raise Failure("the grant is lost")
        left = self.machine.run("systemctl show --property=ActiveState --value binnacle-update-trial").stdout.strip()
        if left not in ("inactive", "failed"):
            raise Failure(f"the service of the trial is {left}")
        say(f"the app has the location; service of the trial: {left}")

    def update_well(self, bundle: Path) -> None:
        self.machine = Machine(self.disk, self.boot_loader, self.receiver.line, self.work, self.key, "good", self.recording)
        until(600, "login by key", self.machine.answers)
        self.refuse_changed(bundle)
        self.send(bundle)
        self.wait_for_status("slot B is on trial", 600)
        self.wait_for_status("good was kept", 700)
        self.check_app()
        self.machine.end()

    def update_badly(self, bundle: Path, reason: str) -> None:
        self.send(bundle)
        self.wait_for_status(reason, 1500)
        self.check_app()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("image", type=Path)
    parser.add_argument("simulator")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    work = Path(tempfile.mkdtemp(prefix="run-update-"))
    owner = Updater(options.image.resolve(), options.simulator, work, options.folder.resolve())
    keep = True
    try:
        owner.personalize()
        owner.live_with_old()
        owner.update_well(owner.bundle("good", f"write {owner.noise()} /usr/share/noise"))
        bad = owner.bundle("without-daemon", "rm /usr/bin/binnacled", "symlink /usr/bin/binnacled /bin/false")
        dead = owner.bundle("without-init", "rm /usr/lib/systemd/systemd")
        machine = owner.power_on("returns")
        until(600, "login by key", machine.answers)
        owner.update_badly(dead, "without-init was not kept")
        owner.update_badly(bad, f"without-daemon was not kept: did not work for 300 s without a break: daemon, receiver, location, app {APP}")
        say("done")
        keep = False
        return 0
    except (Failure, subprocess.TimeoutExpired) as failure:
        print(f"run-update: {failure}; the logs are in {work}", file=sys.stderr)
        return 1
    finally:
        owner.end()
        if not keep:
            shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main())
