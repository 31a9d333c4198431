#!/usr/bin/env python3
"""Runs a command as root of a user namespace in which programs of arm64 run, too: in-namespace.py COMMAND...

The namespace has a table of binary formats of its own (Linux 6.7 or later), so that the machine's own table stays as it is.
Root maps all identifiers to themselves. An ordinary user needs the package uidmap and a range in /etc/subuid and /etc/subgid.
"""

import ctypes
import os
import shutil
import subprocess
import sys

NEW_MOUNTS = 0x00020000
NEW_USER = 0x10000000
PRIVATE_RECURSIVE = 0x00040000 | 0x00004000
IDENTIFIERS = 65536
# The first 20 bytes of an ELF program for arm64, and which of their bits count.
MAGIC = rb"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
MASK = rb"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
FORMATS = "/proc/sys/fs/binfmt_misc"

libc = ctypes.CDLL(None, use_errno=True)


def stop(reason: str) -> None:
    print(f"in-namespace: {reason}", file=sys.stderr)
    os._exit(77)


def mount(source: str | None, target: str, kind: str | None, flags: int = 0) -> None:
    arguments = [text.encode() if text else None for text in (source, target, kind)]
    if libc.mount(*arguments, flags, None) != 0:
        stop(f"cannot mount {target}: {os.strerror(ctypes.get_errno())}; a kernel 6.7 or later is necessary")


def run(command: list[str], emulator: str) -> None:
    """Becomes root of the namespace, registers the emulator, and replaces this process by the command."""
    os.setgid(0)
    os.setuid(0)
    mount(None, "/", None, PRIVATE_RECURSIVE)
    mount("binfmt_misc", FORMATS, "binfmt_misc")
    # F opens the emulator now, so that it also works below another root.
    rule = b":qemu-aarch64:M::" + MAGIC + b":" + MASK + b":" + emulator.encode() + b":OCF"
    try:
        with open(f"{FORMATS}/register", "wb", buffering=0) as register:
            register.write(rule)
        os.execvp(command[0], command)
    except OSError as error:
        stop(f"cannot run {command[0]}: {error}")


def allow_identifiers(process: int) -> None:
    """Gives the namespace of the process its users and groups."""
    if os.geteuid() == 0:
        for kind in ("uid", "gid"):
            with open(f"/proc/{process}/{kind}_map", "w") as map_file:
                map_file.write(f"0 0 {IDENTIFIERS}")
        return
    # One identifier for root, which is the user itself, and the user's range for the rest.
    user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
    for kind, own in (("uid", os.getuid()), ("gid", os.getgid())):
        ranges = [line.split(":") for line in open(f"/etc/sub{kind}").read().split()]
        mine = [(start, count) for name, start, count in ranges if name in (user, str(os.getuid()))]
        if not mine:
            raise OSError(f"{user} has no range in /etc/sub{kind}")
        subprocess.run([f"new{kind}map", str(process), "0", str(own), "1", "1", *mine[0]], check=True)


def main() -> int:
    if len(sys.argv) < 2:
        print("usage: in-namespace.py COMMAND...", file=sys.stderr)
        return 64
    emulator = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
    if emulator is None:
        print("in-namespace: the package qemu-user-static is necessary", file=sys.stderr)
        return 77
    ready_read, ready_write = os.pipe()
    mapped_read, mapped_write = os.pipe()
    child = os.fork()
    if child == 0:
        if libc.unshare(NEW_USER | NEW_MOUNTS) != 0:
            stop(f"cannot make a namespace: {os.strerror(ctypes.get_errno())}")
        os.write(ready_write, b"x")
        if os.read(mapped_read, 1) != b"y":
            os._exit(77)
        run(sys.argv[1:], emulator)
    os.close(ready_write)
    try:
        if os.read(ready_read, 1) == b"x":
            allow_identifiers(child)
            os.write(mapped_write, b"y")
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"in-namespace: {error}", file=sys.stderr)
        os.write(mapped_write, b"n")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    sys.exit(main())
