"""Reads and changes the partitions of an image, without mounting them."""

import json
import re
import shlex
import subprocess
from pathlib import Path

SECTOR = 512


def output_of(*command: str, given: str | None = None) -> str:
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout


class Disk:
    """An image with a FAT partition, two slots and a partition for data."""

    def __init__(self, path: Path) -> None:
        self.path = path
        table = json.loads(output_of("/sbin/sfdisk", "--json", str(path)))["partitiontable"]
        self.identifier = table["id"].removeprefix("0x")
        self.partitions = table["partitions"]

    def start(self, number: int) -> int:
        """Returns the first byte of a partition; the numbers start at 1."""
        return self.partitions[number - 1]["start"] * SECTOR

    def bytes_at(self, offset: int, count: int) -> bytes:
        with open(self.path, "rb") as file:
            file.seek(offset)
            return file.read(count)

    # The FAT partition, by mtools.

    def boot_names(self) -> list[str]:
        return output_of("mdir", "-b", "-i", f"{self.path}@@{self.start(1)}", "::").split()

    def boot_text(self, name: str) -> str:
        return output_of("mtype", "-i", f"{self.path}@@{self.start(1)}", f"::{name}")

    def boot_bytes(self, name: str) -> bytes:
        return subprocess.run(["mtype", "-i", f"{self.path}@@{self.start(1)}", f"::{name}"], capture_output=True, check=True).stdout

    def put_boot_text(self, name: str, text: str) -> None:
        self.put_boot_bytes(name, text.encode())

    def put_boot_bytes(self, name: str, content: bytes) -> None:
        command = ["mcopy", "-o", "-i", f"{self.path}@@{self.start(1)}", "-", f"::{name}"]
        subprocess.run(command, input=content, check=True)

    # The ext4 partitions, by debugfs.

    def _debug(self, number: int, *requests: str, writes: bool = False) -> str:
        command = ["/sbin/debugfs", *(["-w"] if writes else []), "-f", "-", f"{self.path}?offset={self.start(number)}"]
        return output_of(*command, given="\n".join(requests) + "\n")

    def dump(self, number: int, folder: str, target: Path) -> None:
        """Copies a folder of a partition."""
        target.mkdir(parents=True, exist_ok=True)
        self._debug(number, f"rdump {shlex.quote(folder)} {shlex.quote(str(target))}")

    def text(self, number: int, path: str) -> str:
        """Returns the content of a file, which is empty if there is no such file."""
        return output_of("/sbin/debugfs", "-R", f"cat {path}", f"{self.path}?offset={self.start(number)}")

    def names(self, number: int, folder: str) -> list[str]:
        """Returns the names in a folder."""
        lines = self._debug(number, f"ls -p {folder}").splitlines()
        return [line.split("/")[5] for line in lines if line.startswith("/") and line.split("/")[5] not in (".", "..")]

    def save(self, number: int, path: str, target: Path) -> None:
        """Copies a file of a partition."""
        target.unlink(missing_ok=True)
        self._debug(number, f"dump {path} {target}")

    def owner_and_mode(self, number: int, path: str) -> tuple[int, int, int] | None:
        """Returns user, group and mode, or nothing if the path does not exist."""
        text = self._debug(number, f"stat {path}")
        mode = re.search(r"Mode:\s+(0?[0-7]+)", text)
        owner = re.search(r"User:\s+(\d+)\s+Group:\s+(\d+)", text)
        return (int(owner[1]), int(owner[2]), int(mode[1], 8)) if mode and owner else None

    def link_target(self, number: int, path: str) -> str | None:
        """Returns the target of a symbolic link, or nothing if the path is none."""
        found = re.search(r'Fast link dest: "(.*)"', self._debug(number, f"stat {path}"))
        return found[1] if found else None

    def put_file(self, number: int, path: str, source: Path) -> None:
        """Puts a file into a partition, in place of an older one, as root's."""
        self._debug(number, f"rm {path}", f"write {source} {path}", f"sif {path} uid 0", f"sif {path} gid 0", writes=True)

    def set_mode(self, number: int, path: str, mode: int) -> None:
        self._debug(number, f"sif {path} mode 0{mode:o}", writes=True)

    def make_link(self, number: int, path: str, target: str) -> None:
        self._debug(number, f"symlink {path} {target}", writes=True)
