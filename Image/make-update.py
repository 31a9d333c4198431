#!/usr/bin/env python3
"""Makes a signed bundle that updates boards to an image's system: make-update.py IMAGE KEY FILE

The bundle is a line with sizes, a list, the signature of the list by ssh-keygen, and the parts of slot A. The list names the board, the
version, the checksum of the root, and for each part its size in MiB, its compressed size and the checksum of its compressed bytes.
"""

import gzip
import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

from disk import Disk

SLOT_A = 2
MIB = 1 << 20
PART_MIB = 4
SYSTEM = "/usr/lib/binnacle-image/system"


def packed_parts(root: bytes) -> tuple[list[str], list[bytes]]:
    """Returns the lines of the list and the compressed parts."""
    lines, parts = [], []
    for start in range(0, len(root), PART_MIB * MIB):
        plain = root[start:start + PART_MIB * MIB]
        packed = gzip.compress(plain, 9, mtime=0)
        lines.append(f"part={len(plain) // MIB} {len(packed)} {hashlib.sha256(packed).hexdigest()}")
        parts.append(packed)
    return lines, parts


def signature(manifest: bytes, key: Path) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "manifest"
        path.write_bytes(manifest)
        subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", "binnacle-update", str(path)], check=True)
        return path.with_name("manifest.sig").read_bytes()


def write_bundle(root: bytes, system: str, key: Path, file: Path) -> None:
    """Writes the bundle of a root file system, whose description is its file SYSTEM."""
    lines, parts = packed_parts(root)
    manifest = "\n".join([system.strip(), f"root={hashlib.sha256(root).hexdigest()}", *lines, ""]).encode()
    sign = signature(manifest, key)
    part_file = file.with_name(file.name + ".part")
    with open(part_file, "wb") as bundle:
        bundle.write(f"binnacle-update 1 {len(manifest)} {len(sign)}\n".encode() + manifest + sign)
        for part in parts:
            bundle.write(part)
    part_file.rename(file)


def bundle_of(image: Path, key: Path, file: Path) -> str:
    """Writes the bundle of an image's slot A, and returns its version."""
    disk = Disk(image)
    system = disk.text(SLOT_A, SYSTEM)
    root = disk.bytes_at(disk.start(SLOT_A), disk.partitions[SLOT_A - 1]["size"] * 512)
    write_bundle(root, system, key, file)
    return dict(line.split("=", 1) for line in system.splitlines())["version"]


def main() -> int:
    image, key, file = (Path(argument) for argument in sys.argv[1:])
    if not image.exists():
        print(f"make-update: there is no image {image}; make image builds it", file=sys.stderr)
        return 66
    if not key.is_file():
        print(f"make-update: there is no key {key}; make update-key makes one", file=sys.stderr)
        return 66
    version = bundle_of(image, key, file)
    print(f"update: {file}, version {version}, {file.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
