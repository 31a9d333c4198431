#!/usr/bin/env python3
"""Prints a file of settings for U-Boot, its own with changes: boot-loader-settings.py U_BOOT NAME=VALUE...

A file of settings replaces all of U-Boot's own, so they are taken from the program. An empty value removes a setting.
"""

import sys
import zlib
from pathlib import Path

SIZE = 0x4000


def main() -> None:
    program = Path(sys.argv[1]).read_bytes()
    start = program.index(b"\0bootcmd=bootflow scan\0") + 1
    own = program[start:program.index(b"\0\0", start)].decode("ascii")
    settings = dict(item.split("=", 1) for item in own.split("\0"))
    settings.update(item.split("=", 1) for item in sys.argv[2:])
    data = b"".join(f"{name}={value}\0".encode() for name, value in sorted(settings.items()) if value)
    data = data.ljust(SIZE - 4, b"\0")
    sys.stdout.buffer.write(zlib.crc32(data).to_bytes(4, "little") + data)


if __name__ == "__main__":
    main()
