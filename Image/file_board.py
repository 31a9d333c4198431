"""A board whose disk is a file: it runs the scripts of the image in a namespace, with a clock that a test moves."""

import functools
import json
import random
import subprocess
import tempfile
from pathlib import Path

import cut_updates as cuts

HERE = Path(__file__).parent
MIB = 1 << 20
# A layout with small slots; the blocks of the choice are where they always are.
SLOT_MIB = 8
START_MIB = {"A": 72, "B": 80}
STATE = b"BnkS" + bytes([1, 0, 9, 0]) + bytes(504)


# Programs that the scripts call, with the answers of a test. The clock moves only by sleeping.
PROGRAMS = {
    "sleep": """now=$(cut -d . -f 1 /run/uptime); echo "$((now + $1)).00 0" >/run/uptime
for event in $(ls /run/events | sort -n); do
  [ "$event" -gt $((now + $1)) ] || { sh "/run/events/$event"; rm "/run/events/$event"; }
done""",
    "binnacle": '[ -e "/run/answers/$1" ] || exit 69; cat "/run/answers/$1"',
    "systemctl": 'case $1 in show) cat /run/answers/process ;; reboot) : >/run/reboot ;; esac',
    "mountpoint": "echo 254:2",
}
ENTER = """set -e; root=$1; work=$2; layers=$3; shift 3
for folder in bin sbin lib lib64 etc; do [ ! -e /$folder ] || { mkdir -p $root/$folder; mount --rbind /$folder $root/$folder; }; done
mkdir -p $root/usr $root/proc $root/dev $root/run $root/data $root/tmp
mount -t overlay overlay -o lowerdir=$layers:/usr $root/usr
mount --rbind /proc $root/proc; mount --bind $work/cmdline $root/proc/cmdline; mount --bind $work/run/uptime $root/proc/uptime
mount --bind $work/run $root/run; mount --bind $work/data $root/data; mount --bind $work/sys $root/sys
for device in null zero urandom; do : >$root/dev/$device; mount --bind /dev/$device $root/dev/$device; done
: >$root/dev/vda; mount --bind $work/disk $root/dev/vda
exec chroot $root env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
"""


def app(identifier: str, process: int | None = 77, session: bool = True, managed: bool = True) -> dict:
    found = {"id": identifier, "user_id": 870, "state": "background", "in_use": True, "authorization": "always",
             "background_session": session, "service_sessions": 0, "managed": managed}
    return {**found, **({"process_ids": [process]} if process else {})}


def system_text(version: str, board: str = "qemu-virt", state: str = "1", size: int = SLOT_MIB) -> str:
    return f"board={board}\nversion={version}\nstate={state}\nslot-A={START_MIB['A']}\nslot-B={START_MIB['B']}\nslot-size={size}\n"


@functools.cache
def root_bytes(version: str) -> bytes:
    """A system: a small ext4 with its description and a file that does not compress, mostly empty."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "root/usr/lib/binnacle-image"
        library.mkdir(parents=True)
        (library / "system").write_text(system_text(version))
        (library / "noise").write_bytes(random.Random(version).randbytes(3 * MIB))
        image = Path(folder) / "image"
        subprocess.run(["/sbin/mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-d", f"{folder}/root", str(image), f"{SLOT_MIB}M"],
                       stdout=subprocess.DEVNULL, check=True)
        return image.read_bytes()


class FileBoard:
    """A board with version 1 in both slots, a key, and a daemon that works. `scripts` may replace files of the image."""

    def __init__(self, work: Path, public_key: str | None, scripts: dict[str, str] | None = None) -> None:
        self.work = work
        for folder in ("root/sys", "run/answers", "run/events", "data/update", "data/binnacle", "layer/bin", "layer/lib/binnacle-image",
                       "sys/dev/block", "sys/devices/vda/vda2"):
            (work / folder).mkdir(parents=True)
        (work / "sys/dev/block/254:2").symlink_to("../../devices/vda/vda2")
        for name, text in PROGRAMS.items():
            self._put_script(f"bin/{name}", "#!/bin/sh\n" + text + "\n")
        for path, text in (scripts or {}).items():
            self._put_script(path, text)
        (work / "layer/lib/binnacle-image/system").write_text(system_text("1"))
        self.disk = work / "disk"
        with open(self.disk, "wb") as disk:
            disk.truncate((START_MIB["B"] + SLOT_MIB) * MIB)
            for start in START_MIB.values():
                disk.seek(start * MIB)
                disk.write(root_bytes("1"))
        if public_key:
            (work / "data/update/keys").write_text(f'owner namespaces="binnacle-update" {public_key}\n')
        self.set_state(STATE)
        self.answer(app("org.example.route"))
        self.start()

    def _put_script(self, path: str, text: str) -> None:
        target = self.work / "layer" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        target.chmod(0o755)

    # The answers of the daemon.

    def set_state(self, content: bytes) -> None:
        (self.work / "data/binnacle/state.log").write_bytes(content)

    def answers_text(self, *apps: dict, receiver: str = "running", trouble: str | None = None, age: float = 0.4) -> dict[str, str]:
        status = {"daemon.version": "0.1.0", "receiver.state": receiver, "fixes.last_age_s": age}
        if trouble:
            status["receiver.trouble"] = trouble
        lines = [json.dumps(line, separators=(",", ":")) + "\n" for line in (status, *apps)]
        return {"status": lines[0], "apps": "".join(lines[1:])}

    def answer(self, *apps: dict, process: int = 500, **words) -> None:
        for name, text in {**self.answers_text(*apps, **words), "process": f"{process}\n"}.items():
            (self.work / "run/answers" / name).write_text(text)

    def end_daemon(self) -> None:
        (self.work / "run/answers/status").unlink()
        (self.work / "run/answers/process").write_text("0\n")

    def at(self, seconds: int, *apps: dict, process: int = 500, **words) -> None:
        """Changes the answers when the clock shows these seconds."""
        lines = [f"cat >/run/answers/{name} <<'END'\n{text}END\n"
                 for name, text in {**self.answers_text(*apps, **words), "process": f"{process}\n"}.items()]
        (self.work / "run/events" / str(seconds)).write_text("".join(lines))

    # The board's own actions.

    def start(self) -> str:
        """Power-on: the rules of the boot loader choose the slot."""
        self.slot, writes = cuts.start(self.blocks())
        with open(self.disk, "r+b") as disk:
            for step in writes:
                if step != cuts.FLUSH:
                    disk.seek(step[0] * 512)
                    disk.write(step[1])
        (self.work / "cmdline").write_text(f"root=PARTUUID=b1aac1e0-02 binnacle.slot={self.slot} ro quiet\n")
        (self.work / "run/uptime").write_text("20.00 0\n")
        (self.work / "run/reboot").unlink(missing_ok=True)
        return self.slot

    def run(self, *command: str, given: bytes | None = None) -> subprocess.CompletedProcess:
        layers = f"{self.work}/layer:{HERE}/files/usr"
        return subprocess.run(
            ["unshare", "--user", "--map-root-user", "--mount", "bash", "-c", ENTER, "enter", str(self.work / "root"), str(self.work),
             layers, *command], input=given, capture_output=True, check=False)

    def run_trial(self) -> str:
        """The service of the trial; returns its result."""
        if self.run("/usr/lib/binnacle-image/trial", "begun").returncode != 0:
            return "no trial"
        ended = self.run("/usr/lib/binnacle-image/trial")
        restarts = (self.work / "run/reboot").exists()
        return "kept" if ended.returncode == 0 and not restarts else "restarts" if restarts else ended.stderr.decode()

    def status(self) -> str:
        return self.run("binnacle-update", "status").stdout.decode()

    # The content of the disk.

    def blocks(self) -> dict[int, bytes]:
        with open(self.disk, "rb") as disk:
            found = {}
            for block in cuts.BLOCKS:
                disk.seek(block * 512)
                found[block] = disk.read(512)
            return found

    def content(self, slot: str) -> bytes:
        with open(self.disk, "rb") as disk:
            disk.seek(START_MIB[slot] * MIB)
            return disk.read(SLOT_MIB * MIB)

    def uptime(self) -> int:
        return int((self.work / "run/uptime").read_text().split(".")[0])
