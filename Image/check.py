#!/usr/bin/env python3
"""Opens a finished image and checks it: check.py BOARD IMAGE

Afterwards the same checks have to find the faults that are built into a copy. A check that finds nothing there is worthless.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from disk import SECTOR, Disk

HERE = Path(__file__).parent
SLOTS = {2: "slot A", 3: "slot B"}
ENABLED = ["binnacled.service", "binnacle-personalize.service", "binnacle-keep-log.service", "binnacle-update-trial.service",
           "ssh.service"]
# The cleaning of /tmp and /var/tmp, which are in memory.
TIMERS_ALLOWED = {"systemd-tmpfiles-clean.timer"}
USERS = {"binnacle": 862, "binnacle-console": 863, "apps": 870}
ARM64 = b"\x7fELF\x02\x01\x01"


def settings(board: str, *names: str) -> dict[str, str]:
    """Returns variables of the layout and of the board's file."""
    script = f"here={HERE}; . {HERE}/layout.sh; . {HERE}/boards/{board}.sh; " + "; ".join(f"printf '%s\\0' \"${{{name}-}}\"" for name in names)
    values = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split("\0")
    return dict(zip(names, values))


def wiring(text: str) -> list[list[str]]:
    """Returns nodes of the device tree with property and value."""
    return [line.split() for line in text.splitlines()]


def as_module(driver: str) -> str:
    return driver.replace("-", "_")


def drivers_in(paths: str) -> set[str]:
    """Returns the names of modules in a list of paths."""
    return {as_module(re.sub(r".*/|\.ko.*", "", path)) for path in paths.splitlines() if ".ko" in path}


class Check:
    """The findings about one image."""

    def __init__(self, board: str, path: Path, work: Path) -> None:
        names = ("DISK", "CONSOLE", "DAEMON_OPTIONS", "KERNEL_OPTIONS", "BOOT_START", "BOOT_SIZE", "ROOT_A_START", "ROOT_B_START")
        names += ("ROOT_SIZE", "DATA_START", "DATA_SIZE", "BLOCK1", "BLOCK2", "CONFIG_LINES", "BOOT_FILES", "RECEIVER", "TREES", "WIRING", "DRIVERS", "CARD_DRIVERS")
        self.board = board
        self.wanted = settings(board, *names)
        self.disk = Disk(path)
        self.work = work
        work.mkdir(parents=True, exist_ok=True)
        self.findings: list[str] = []

    def expect(self, is_right: bool, finding: str) -> None:
        if not is_right:
            self.findings.append(finding)

    def run(self) -> list[str]:
        self.check_partitions()
        self.check_choice()
        self.check_boot()
        for number, slot in SLOTS.items():
            folder = self.work / str(number)
            shutil.rmtree(folder, ignore_errors=True)
            for path in ("/etc", "/usr/lib/systemd/system"):
                self.disk.dump(number, path, folder / path.strip("/").rpartition("/")[0])
            self.check_start(number, slot)
            self.check_drivers(number, slot)
            self.check_mounts(number, slot, folder / "etc")
            self.check_accounts(number, slot, folder / "etc")
            self.check_units(slot, folder)
        self.check_data()
        return self.findings

    def check_partitions(self) -> None:
        size = {name: int(self.wanted[name]) for name in ("BOOT_START", "BOOT_SIZE", "ROOT_A_START", "ROOT_B_START", "ROOT_SIZE",
                                                          "DATA_START", "DATA_SIZE")}
        wanted = [(size["BOOT_START"], size["BOOT_SIZE"], "c"), (size["ROOT_A_START"], size["ROOT_SIZE"], "83"),
                  (size["ROOT_B_START"], size["ROOT_SIZE"], "83"), (size["DATA_START"], size["DATA_SIZE"], "83")]
        found = [(p["start"] / 2048, p["size"] / 2048, p["type"]) for p in self.disk.partitions]
        self.expect(found == wanted, f"partitions: {found} in place of {wanted}")
        self.expect(self.disk.identifier == self.wanted["DISK"], f"the disk's identifier is {self.disk.identifier}")

    def check_choice(self) -> None:
        for name in ("BLOCK1", "BLOCK2"):
            content = self.disk.bytes_at(int(self.wanted[name]) * SECTOR, SECTOR)
            self.expect(not any(content), f"{name}: a new image has a choice of the slot already")

    def check_boot(self) -> None:
        names = self.disk.boot_names()
        for name in ["boot.scr", "binnacle.txt", *self.wanted["BOOT_FILES"].split()]:
            self.expect(f"::/{name}" in names, f"boot: {name} is missing")
        if "::/binnacle.txt" in names:
            chosen = [line for line in self.disk.boot_text("binnacle.txt").splitlines() if line and not line.startswith(("#", "update-key="))]
            self.expect(not chosen, f"boot: binnacle.txt has settings of a person: {chosen}")
        if self.wanted["CONFIG_LINES"]:
            lines = self.disk.boot_text("config.txt").splitlines()
            for line in self.wanted["CONFIG_LINES"].split(";"):
                self.expect(line in lines, f"boot: config.txt lacks {line}")

        for tree in self.wanted["TREES"].split():
            self.check_wiring(tree)
        if self.wanted["TREES"]:
            settings = self.disk.boot_bytes("uboot.env")[4:].split(b"\0")
            self.expect(b"bootdelay=-2" in settings, "boot: bytes of the receiver can stop the boot loader")

    def check_wiring(self, name: str) -> None:
        """The device tree has what the profile's wires need."""
        tree = self.work / name
        tree.write_bytes(self.disk.boot_bytes(name))
        for node, key, wanted in wiring(self.wanted["WIRING"]):
            kind = "i" if wanted.isdecimal() else "s"
            found = subprocess.run(["fdtget", "-t", kind, str(tree), node, key], capture_output=True, text=True).stdout.strip()
            self.expect(found == wanted, f"boot: {name}: {node} {key} is {found or 'missing'}, not {wanted}")

    def check_drivers(self, number: int, slot: str) -> None:
        """The kernel drives the board's hardware, and the initial file system drives the card."""
        versions = self.disk.names(number, "/usr/lib/modules")
        self.expect(len(versions) == 1, f"{slot}: kernels: {versions}")
        folder = f"/usr/lib/modules/{versions[0]}"
        built_in = drivers_in(self.disk.text(number, f"{folder}/modules.builtin"))
        modules = drivers_in(re.sub(":.*", "", self.disk.text(number, f"{folder}/modules.dep")))
        for driver in self.wanted["DRIVERS"].split():
            self.expect(as_module(driver) in built_in | modules, f"{slot}: the kernel {versions[0]} has no driver {driver}")
        start = self.work / "initrd"
        self.disk.save(number, "/boot/initrd.img", start)
        listing = subprocess.run(f"gzip -dc {start} | cpio --quiet --list", shell=True, capture_output=True, text=True).stdout
        for driver in self.wanted["CARD_DRIVERS"].split():
            self.expect(as_module(driver) in built_in | drivers_in(listing), f"{slot}: the start has no driver {driver} of the card")

    def check_start(self, number: int, slot: str) -> None:
        options = self.disk.text(number, "/boot/options").removeprefix("options=").split()
        for option in ("ro", "panic=10", "fsck.repair=yes"):
            self.expect(option in options, f"{slot}: the kernel's options lack {option}")
        receiver = self.wanted["RECEIVER"]
        consoles = [option for option in options if option.startswith("console=")]
        self.expect(not any(f"console={receiver}" == option.split(",")[0] for option in consoles),
                    f"{slot}: the kernel writes to the receiver's line {receiver}")
        for name in ("vmlinuz", "initrd.img"):
            self.expect(self.disk.owner_and_mode(number, f"/boot/{name}") is not None, f"{slot}: /boot/{name} is missing")
        system = dict(line.split("=", 1) for line in self.disk.text(number, "/usr/lib/binnacle-image/system").splitlines())
        wanted = {"board": self.board, "slot-A": self.wanted["ROOT_A_START"], "slot-B": self.wanted["ROOT_B_START"], "slot-size": self.wanted["ROOT_SIZE"]}
        self.expect(wanted.items() <= system.items() and {"version", "state"} <= system.keys(), f"{slot}: an update would not fit: {system}")
        for program in ("binnacled", "binnacle", "binnacle-launch"):
            path = self.work / program
            # The package has one file for its programs, and links.
            file = self.disk.link_target(number, f"/usr/bin/{program}") or program
            self.disk.save(number, f"/usr/bin/{file}", path)
            head = path.read_bytes()[:20] if path.exists() else b""
            self.expect(head[:7] == ARM64 and head[18:20] == b"\xb7\x00", f"{slot}: /usr/bin/{program} is no program for arm64")

    def check_mounts(self, number: int, slot: str, etc: Path) -> None:
        lines = [line.split() for line in (etc / "fstab").read_text().splitlines() if line.strip() and line[0] != "#"]
        self.expect(all(line[2] != "swap" for line in lines), f"{slot}: fstab has swap")
        for line in lines:
            source, place, kind, options = line[0], line[1], line[2], line[3].split(",")
            if place == "/data":
                self.expect({"noatime", "lazytime", "commit=60", "nodev", "nosuid", "x-systemd.device-timeout=10min"} <= set(options), f"{slot}: options of /data: {options}")
            elif kind not in ("tmpfs", "none"):
                self.expect("ro" in options, f"{slot}: {place} is writable")
            self.expect(not source.startswith("PARTUUID=") or source.startswith(f"PARTUUID={self.wanted['DISK']}-"),
                        f"{slot}: fstab names another disk: {source}")
            # A mount below /var, which is in memory, makes its own place.
            self.expect(place.startswith("/var/") or self.disk.owner_and_mode(number, place) is not None, f"{slot}: there is no place to mount {place}")
        places = {line[1]: line[0] for line in lines}
        for place, source in {"/var/lib/binnacle": "/data/binnacle", "/etc/binnacle": "/data/settings", "/var": "tmpfs"}.items():
            self.expect(places.get(place) == source, f"{slot}: {place} is not on {source}")

    def check_accounts(self, number: int, slot: str, etc: Path) -> None:
        for name in ("shadow", "shadow-"):
            for line in (etc / name).read_text().splitlines() if (etc / name).exists() else []:
                user, password = line.split(":")[:2]
                self.expect(re.fullmatch(r"[*!]+", password) is not None, f"{slot}: {user} has a password in {name}")
        for line in (etc / "passwd").read_text().splitlines():
            user, password, number_of_user = line.split(":")[:3]
            self.expect(password == "x", f"{slot}: {user} has a password in passwd")
            self.expect(USERS.get(user) in (None, int(number_of_user)), f"{slot}: {user} has the number {number_of_user}")
        self.expect(not list((etc / "ssh").glob("ssh_host_*")), f"{slot}: it has keys of a host")
        self.expect(self.disk.owner_and_mode(number, "/root/.ssh/authorized_keys") is None, f"{slot}: root has a key")
        lines = (etc / "ssh/sshd_config.d/image.conf").read_text().splitlines()
        for line in ("PasswordAuthentication no", "KbdInteractiveAuthentication no", "PermitRootLogin prohibit-password"):
            self.expect(line in lines, f"{slot}: sshd_config lacks {line}")
        self.expect((etc / "machine-id").read_text() == "", f"{slot}: all boards would have one machine-id")

    def check_units(self, slot: str, folder: Path) -> None:
        own, vendor = folder / "etc/systemd/system", folder / "usr/lib/systemd/system"
        wanted = {path.name for place in (own, vendor) for path in place.glob("*.target.wants/*")}
        for unit in [*ENABLED, f"binnacle-console@{self.wanted['CONSOLE']}.service"]:
            self.expect(unit in wanted, f"{slot}: {unit} is not enabled")
        masked = {path.name for path in own.iterdir() if path.is_symlink() and str(path.readlink()) == "/dev/null"}
        timers = {name for name in wanted if name.endswith(".timer")} - masked - TIMERS_ALLOWED
        self.expect(not timers, f"{slot}: timers that may write: {sorted(timers)}")
        self.expect({"getty@.service", "serial-getty@.service"} <= masked, f"{slot}: there are login prompts")
        trial = (folder / "etc/systemd/system/binnacle-update-trial.service").read_text()
        self.expect("FailureAction=reboot-force" in trial, f"{slot}: a system on trial that fails is not left")
        data = folder / "etc/systemd/system/data.mount.d/image.conf"
        self.expect(data.exists() and "OnFailure=binnacle-start-again.service" in data.read_text(), f"{slot}: a board without /data stays as it is")
        manager = (folder / "etc/systemd/system.conf.d/image.conf").read_text()
        self.expect("RuntimeWatchdogSec=14s" in manager, f"{slot}: the watchdog is off")
        journal = (folder / "etc/systemd/journald.conf.d/image.conf").read_text()
        self.expect("Storage=volatile" in journal, f"{slot}: the journal writes to the disk")

    def check_data(self) -> None:
        user = USERS["binnacle"]
        for path, wanted in {"/binnacle": (user, user, 0o700), "/ssh": (0, 0, 0o700), "/update": (0, 0, 0o700), "/wifi": (0, 0, 0o700),
                             "/settings": (0, 0, 0o755)}.items():
            found = self.disk.owner_and_mode(4, path)
            self.expect(found == wanted, f"data: {path} has user, group and mode {found}")
        for path, thing in {"/ssh/authorized_keys": "key", "/settings/console-pin": "PIN"}.items():
            self.expect(self.disk.owner_and_mode(4, path) is None, f"data: there is a {thing} already")


def build_in_faults(board: str, disk: Disk, work: Path) -> list[str]:
    """Changes an image, and returns a beginning of the finding that each change has to cause."""
    def change(path: str, old: str, new: str) -> None:
        text = disk.text(2, path)
        assert old in text, f"control: {path} has no {old}"
        changed = work / "changed"
        changed.write_text(text.replace(old, new))
        disk.put_file(2, path, changed)

    change("/etc/shadow", "root:*:", "root:$y$j9T$abc:")
    change("/etc/fstab", "noatime,lazytime", "relatime")
    change("/etc/fstab", "tmpfs               /tmp", "/dev/sda2 none swap sw 0 0\ntmpfs /tmp")
    change("/etc/ssh/sshd_config.d/image.conf", "PasswordAuthentication no", "PasswordAuthentication yes")
    change("/etc/systemd/journald.conf.d/image.conf", "volatile", "persistent")
    change("/boot/options", "panic=10", "")
    change("/etc/systemd/system/binnacle-update-trial.service", "FailureAction=reboot-force", "")
    change("/usr/lib/binnacle-image/system", f"board={board}", "board=another")
    disk._debug(2, "rm /etc/systemd/system/serial-getty@.service", "rm /etc/systemd/system/apt-daily.timer",
                "rm /etc/systemd/system/multi-user.target.wants/binnacled.service",
                "rm /etc/systemd/system/multi-user.target.wants/binnacle-update-trial.service",
                "rm /etc/systemd/system/data.mount.d/image.conf",
                "rmdir /boot/firmware", "rm /usr/bin/binnacled", "symlink /usr/bin/binnacled nothing", writes=True)
    disk.set_mode(4, "/binnacle", 0o40755)
    disk.put_file(4, "/settings/console-pin", work / "changed")
    disk.put_boot_text("binnacle.txt", "wifi-password=of the builder\n")
    with open(disk.path, "r+b") as file:
        file.seek(int(settings(board, "BLOCK1")["BLOCK1"]) * SECTOR)
        file.write(b"x")
    expected = ["slot A: root has a password", "slot A: options of /data", "slot A: fstab has swap",
            "slot A: sshd_config lacks PasswordAuthentication no", "slot A: the journal writes", "slot A: the kernel's options lack panic",
            "slot A: there are login prompts", "slot A: timers that may write", "slot A: binnacled.service is not enabled",
            "slot A: binnacle-update-trial.service is not enabled", "slot A: a system on trial that fails", "slot A: a board without /data", "slot A: an update would not fit",
            "slot A: /usr/bin/binnacled is no program", "slot A: there is no place to mount /boot/firmware", "data: /binnacle has", "data: there is a PIN", "boot: binnacle.txt has settings", "BLOCK1"]
    return expected + build_in_faults_of_hardware(board, disk, work)


def build_in_faults_of_hardware(board: str, disk: Disk, work: Path) -> list[str]:
    wanted = settings(board, "TREES", "WIRING", "DRIVERS", "CARD_DRIVERS")
    changed = work / "changed"
    changed.write_text("")
    version, = disk.names(2, "/usr/lib/modules")
    for path in (f"/usr/lib/modules/{version}/modules.dep", f"/usr/lib/modules/{version}/modules.builtin", "/boot/initrd.img"):
        disk.put_file(2, path, changed)
    expected = [f"slot A: the kernel {version} has no driver {driver}" for driver in wanted["DRIVERS"].split()]
    expected += [f"slot A: the start has no driver {driver}" for driver in wanted["CARD_DRIVERS"].split()]
    for tree in wanted["TREES"].split():
        changed.write_bytes(disk.boot_bytes(tree))
        for node, key, _ in wiring(wanted["WIRING"]):
            subprocess.run(["fdtput", "-t", "s", str(changed), node, key, "another"], check=True)
            expected.append(f"boot: {tree}: {node} {key} is")
        disk.put_boot_bytes(tree, changed.read_bytes())
    if wanted["TREES"]:
        disk.put_boot_bytes("uboot.env", disk.boot_bytes("uboot.env").replace(b"bootdelay=-2", b"bootdelay=2 "))
        disk.put_boot_text("config.txt", "kernel=other.img\n")
        expected += ["boot: bytes of the receiver can stop", "boot: config.txt lacks kernel=u-boot.bin"]
    return expected


def main() -> int:
    board, path = sys.argv[1], Path(sys.argv[2])
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        work = Path(folder)
        findings = Check(board, path, work / "found").run()
        for finding in findings:
            print(f"check-image: {finding}", file=sys.stderr)
        if findings:
            return 1
        copy = work / "faults.img"
        subprocess.run(["cp", "--sparse=always", str(path), str(copy)], check=True)
        expected = build_in_faults(board, Disk(copy), work)
        found = Check(board, copy, work / "found").run()
        missed = [start for start in expected if not any(finding.startswith(start) for finding in found)]
        for start in missed:
            print(f"check-image: control: the checks do not find: {start}", file=sys.stderr)
        print(f"check-image: {path.name} is as it should be; {len(expected) - len(missed)} of {len(expected)} built-in faults found")
        return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
