#!/usr/bin/env python3
"""Boots the image of qemu-virt, and takes the way of a new owner: run.py IMAGE SIMULATOR [--idle SECONDS]

Personalization, console, doctor, first location, an app that asks and is allowed, a power cut, and the app again. Prints the
times from power-on to the first location, the memory of all processes, and what an idle board writes.
"""

import argparse
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from disk import Disk
from machine import Failure, Machine, Receiver, until

APP = "org.example.route"
PIN = "483920"
MANIFEST = f"""[App]
Identifier={APP}
Executable=/usr/bin/binnacle
Arguments=watch --json --background --app {APP}
User=apps
Script=yes
BackgroundModes=location
WhenInUseUsageDescription=Draws the route.
"""


def say(text: str) -> None:
    print(f"run-image: {text}", flush=True)


class Owner:
    """The person who has flashed the image."""

    def __init__(self, image: Path, simulator: str, idle: int, work: Path) -> None:
        self.work, self.idle = work, idle
        self.disk = work / "disk.img"
        subprocess.run(["cp", "--sparse=always", str(image), str(self.disk)], check=True)
        self.boot_loader = image.with_suffix(".boot-loader")
        self.key = work / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.key)], check=True)
        self.receiver = Receiver(simulator, work)
        self.machine: Machine | None = None

    def power_on(self, name: str) -> Machine:
        self.machine = Machine(self.disk, self.boot_loader, self.receiver.line, self.work, self.key, name)
        return self.machine

    def end(self) -> None:
        if self.machine:
            self.machine.end()
        self.receiver.end()

    # The steps.

    def personalize(self) -> None:
        """Writes the owner's text file, as a laptop does with the card in it; and the manifest of an app."""
        disk = Disk(self.disk)
        text = disk.boot_text("binnacle.txt")
        text = text.replace("#name=binnacle", "name=boat-7").replace("#ssh-key=", "ssh-key=" + self.key.with_suffix(".pub").read_text().strip())
        text = text.replace("#wifi-country=", "wifi-country=").replace("#wifi-name=", "wifi-name=Harbor").replace(
            "#wifi-password=", "wifi-password=correct horse").replace("#console-pin=", "console-pin=" + PIN)
        disk.put_boot_text("binnacle.txt", text)
        manifest = self.work / "route.app"
        manifest.write_text(MANIFEST)
        disk.put_file(4, "/settings/apps.d/route.app", manifest)

    def first_start(self) -> None:
        machine = self.power_on("first")
        loader = machine.wait_for_line("Starting slot A", 120)
        until(600, "login by key", machine.answers)
        network = time.time() - machine.started
        first = until(300, "the first location", lambda: self.first_fix(machine))
        kernel_at = time.time() - float(machine.run("cut -d ' ' -f 1 /proc/uptime").stdout) - machine.started
        times = self.unit_times(machine)
        ready = kernel_at + times["ActiveEnterTimestampMonotonic"]
        say(f"power-on to first location: {ready + first:.1f} s at most (emulated)")
        say(f"  boot loader has chosen its slot      {loader:6.1f} s")
        say(f"  kernel starts                        {kernel_at:6.1f} s")
        say(f"  daemon starts                        {kernel_at + times['ExecMainStartTimestampMonotonic']:6.1f} s")
        say(f"  daemon is ready                      {ready:6.1f} s")
        say(f"  first location after that            {first:6.1f} s at most")
        say(f"  login by network                     {network:6.1f} s")

    def first_fix(self, machine: Machine) -> float | None:
        """Returns the seconds from the daemon's start to its first location."""
        machine.run("binnacle watch --operator --count 1 --json", seconds=120)
        text = machine.run("binnacle receiver").stdout
        match = re.search(r"first fix\s+(\d+) s after", text)
        return float(match[1]) if match else None

    def unit_times(self, machine: Machine) -> dict[str, float]:
        lines = machine.run("systemctl show binnacled --property=ExecMainStartTimestampMonotonic,ActiveEnterTimestampMonotonic").stdout
        return {name: int(value) / 1e6 for name, value in (line.split("=") for line in lines.split())}

    def look_around(self) -> None:
        machine = self.machine
        name = machine.run("hostname").stdout.strip()
        if name != "boat-7":
            raise Failure(f"the board's name is {name}")
        hidden = machine.run("cat /boot/firmware/binnacle.txt").stdout
        if "correct horse" in hidden or f"wifi-password={'*' * 13}" not in hidden:
            raise Failure("the password of the network is still in binnacle.txt: " + hidden)
        if PIN in hidden:
            raise Failure("the PIN is still in binnacle.txt: " + hidden)
        say("personalized: name, key; the network's password is hidden, its hash is kept: "
            + machine.run("grep -c psk= /data/wifi/networks.conf").stdout.strip())
        kept = machine.run("journalctl --boot --priority=warning --unit=binnacle-personalize --output=cat").stdout.strip()
        if kept != "personalize: taken from binnacle.txt: name, ssh-key, wifi, console-pin":
            raise Failure("the journal's warnings of the personalization, which keep-log keeps, are: " + kept)
        say("journal: " + kept)
        failed = machine.run("systemctl --failed --no-legend --plain").stdout.strip()
        if failed:
            raise Failure("units have failed: " + failed)
        if machine.run("touch /etc/changed", must_succeed=False).returncode == 0:
            raise Failure("the root file system is writable")
        machine.ask_console("version", "\nbinnacle ", 120)
        machine.ask_console(f"unlock {PIN}", "unlocked", 120)
        say("console: answers on its serial line, and the PIN unlocks it")
        doctor = machine.run("binnacle doctor", seconds=120, must_succeed=False)
        if doctor.returncode != 0:
            raise Failure("doctor: " + doctor.stdout + doctor.stderr)
        say("doctor: " + doctor.stdout.strip().splitlines()[-1])

    def use_app(self) -> None:
        machine = self.machine
        machine.run(f"binnacle start {APP}")
        until(60, "the prompt", lambda: APP in machine.run("binnacle prompts").stdout)
        say("prompt: " + machine.run("binnacle prompts").stdout.splitlines()[0])
        machine.run(f"binnacle allow {APP}")
        until(60, "a location of the app", self.app_has_location)
        say("app: allowed, and has the location")

    def app_has_location(self) -> bool:
        return '"latitude"' in self.machine.run(f"binnacle output {APP}", must_succeed=False).stdout

    def survive_power_cut(self) -> None:
        grants = self.machine.run("binnacle grants").stdout
        self.machine.end()
        say("power: cut while the app has the location")
        machine = self.power_on("second")
        machine.wait_for_line("Starting slot A", 120)
        until(600, "login by key after the cut", machine.answers)
        until(120, "the daemon after the cut", lambda: machine.run("binnacle grants", must_succeed=False).returncode == 0)
        if machine.run("binnacle grants").stdout.split() != grants.split():
            raise Failure("the grants differ after the cut")
        say("power: on again; the grant is still there")
        until(180, "the app after the cut", self.app_has_location)
        say("app: rejoined by itself, and has the location")

    def measure(self) -> None:
        machine = self.machine
        machine.run(f"binnacle quit {APP}")
        table = machine.run(r"""for p in /proc/[0-9]*; do [ -r $p/smaps_rollup ] || continue
          awk -v name="$(cat $p/comm)" '/^Pss:/ {pss=$2} /^Rss:/ {rss=$2} /^Private_Dirty:/ {d=$2} END {if (rss) print rss, pss, d, name}' \
            $p/smaps_rollup 2>/dev/null; done | sort -rn""").stdout
        rows = [line.split(maxsplit=3) for line in table.splitlines()]
        say("memory of all processes, kB: resident, proportional, private dirty")
        for rss, pss, dirty, name in rows:
            say(f"  {rss:>7} {pss:>7} {dirty:>7}  {name}")
        say(f"  {sum(int(row[1]) for row in rows)} kB proportional in all; " + machine.run(
            "awk '/MemTotal|MemAvailable/ {printf \"%s %d MB  \", $1, $2 / 1024}' /proc/meminfo").stdout)
        # The end of the app's updates is written half a minute later, and the journal of ext4 follows.
        time.sleep(45)
        machine.run("sync")
        count = "awk '{print $7}' /sys/block/vda/stat"
        before = int(machine.run(count).stdout)
        time.sleep(self.idle)
        written = (int(machine.run(count).stdout) - before) * 512
        say(f"an idle board has written {written} bytes in {self.idle} s: {written * 86400 / self.idle / 1e6:.2f} MB a day")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("image", type=Path)
    parser.add_argument("simulator")
    parser.add_argument("--idle", type=int, default=300)
    parser.add_argument("--keep", action="store_true", help="keep the folder with the logs")
    options = parser.parse_args()
    # The machine ends with this program, however that ends.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    work = Path(tempfile.mkdtemp(prefix="run-image-"))
    owner = Owner(options.image.resolve(), options.simulator, options.idle, work)
    try:
        owner.personalize()
        owner.first_start()
        owner.look_around()
        owner.use_app()
        owner.survive_power_cut()
        owner.measure()
        say("done")
        return 0
    except (Failure, subprocess.TimeoutExpired) as failure:
        print(f"run-image: {failure}; the logs are in {work}", file=sys.stderr)
        options.keep = True
        return 1
    finally:
        owner.end()
        if not options.keep:
            shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main())
