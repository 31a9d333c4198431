#!/usr/bin/env python3
"""Prints the sections in which two builds of a program differ, with the count of bytes: compare-builds.py FIRST SECOND

Ends with 0 if the files are equal, or differ only in sections that a program does not use: the compiler's hashes for incremental
builds, the identifier of the file, and the debug information.
"""

import collections
import re
import subprocess
import sys

HARMLESS = {".swift_modhash", ".note.gnu.build-id", ".debug_info", ".gnu_debuglink"}


def sections(path: str) -> list[tuple[int, int, str]]:
    """Returns the first byte, the byte behind the last, and the name of each section."""
    listing = subprocess.run(["readelf", "--section-headers", "--wide", path], capture_output=True, text=True, check=True).stdout
    rows = re.findall(r"\]\s+(\S+)\s+(?!NOBITS)\S+\s+[0-9a-f]+\s+([0-9a-f]+)\s+([0-9a-f]+)", listing)
    return [(int(start, 16), int(start, 16) + int(size, 16), name) for name, start, size in rows]


def main() -> int:
    if len(sys.argv) != 3:
        print("usage: compare-builds.py FIRST SECOND", file=sys.stderr)
        return 64
    first, second = (open(path, "rb").read() for path in sys.argv[1:])
    if len(first) != len(second):
        print(f"compare-builds: {len(first)} and {len(second)} bytes")
        return 1
    different: collections.Counter[str] = collections.Counter()
    for start, end, name in sections(sys.argv[1]):
        if first[start:end] != second[start:end]:
            different[name] = sum(a != b for a, b in zip(first[start:end], second[start:end]))
    outside = sum(a != b for a, b in zip(first, second)) - different.total()
    if outside:
        different["outside of all sections"] = outside
    for name, count in different.items():
        print(f"compare-builds: {name}: {count} bytes")
    print("compare-builds: " + ("equal" if not different else "harmless" if different.keys() <= HARMLESS else "different"))
    return 0 if different.keys() <= HARMLESS else 1


if __name__ == "__main__":
    sys.exit(main())
