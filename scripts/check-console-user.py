#!/usr/bin/python3
"""Runs the console as its unit does, as the real user binnacle-console: it unlocks by a PIN, and a client that speaks the
protocol itself gets no more than a viewer as this user. The control, the same client as root, must succeed.

check-console-user.py BINARIES    the folder with binnacle and binnacled

Needs root. The user is added to a copy of /etc/passwd that only this process and its children see.
"""

import ctypes
import os
import pathlib
import pty
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

USER = 64990
PIN = "483920"
LIMIT = 60  # seconds for any step on a busy machine
CLONE_NEWNS, MS_BIND, MS_REC, MS_PRIVATE = 0x20000, 4096, 16384, 1 << 18


def fail(text):
    print(f"check-console-user: {text}")
    sys.exit(1)


def expect(text, is_true):
    if not is_true:
        fail(f"not so: {text}")
    print(f"check-console-user: {text}")


def add_user(folder):
    """Gives this process a mount namespace whose /etc/passwd has the user."""
    libc = ctypes.CDLL(None, use_errno=True)

    def must(result):
        if result != 0:
            fail(os.strerror(ctypes.get_errno()))

    must(libc.unshare(CLONE_NEWNS))
    must(libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None))
    lines = [line for line in pathlib.Path("/etc/passwd").read_text().splitlines() if not line.startswith("binnacle-console:")]
    lines.append(f"binnacle-console:x:{USER}:{USER}::/nonexistent:/usr/sbin/nologin")
    passwd = folder / "passwd"
    passwd.write_text("\n".join(lines) + "\n")
    must(libc.mount(bytes(passwd), b"/etc/passwd", None, MS_BIND, None))


def become_user():
    os.setgroups([])
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)


class Terminal:
    """A program on a terminal, and what it has printed."""

    def __init__(self, words, as_user=False):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            if as_user:
                os.fchown(0, USER, -1)  # The unit gives the line to the user, too.
                become_user()
            environment = {"TERM": "dumb", "HOME": "/nonexistent", "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"}
            os.execve(words[0], words, environment)
        self.text = ""

    def type(self, text):
        self.text = ""
        os.write(self.terminal, text.encode())

    def sees(self, words):
        end = time.monotonic() + LIMIT
        while words not in " ".join(self.text.split()) and time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self.terminal, 4096).decode(errors="replace")
                except OSError:
                    break
        return words in " ".join(self.text.split())


def text(words):
    return struct.pack("<H", len(words)) + words.encode()


HELLO = b"BNCL" + struct.pack("<HH", 1, 10) + text("stranger")
APP = b"\x01" + HELLO
OPERATOR = bytes([53]) + HELLO + b"\x01"
CONSOLE = bytes([53]) + HELLO + b"\x03\x00"
# From the table "Consoles" of Docs/SPEC-wire.md: what a viewer may not, and two of the things that it may.
CHANGES = {
    "setServices": bytes([6]) + struct.pack("<IB", 7, 0),
    "trace": bytes([5]) + struct.pack("<I", 7),
    "readState": bytes([16]) + struct.pack("<I", 7),
    "eraseState": bytes([17]) + struct.pack("<IB", 7, 0) + text(""),
    "allow": bytes([35]) + struct.pack("<I", 7) + text("org.example.a") + b"\x02\x01",
    "home": bytes([40]) + struct.pack("<I", 7),
}
QUESTIONS = {"status": bytes([4]) + struct.pack("<I", 7), "listApps": bytes([32]) + struct.pack("<I", 7)}
WELCOME, REFUSED, ANSWERED, ROWS = 129, 130, 135, 140


def answer(path, hello, message):
    """The answer to a message, as the user."""
    near, far = socket.socketpair()
    child = os.fork()
    if child == 0:
        become_user()
        far.send(ask(path, hello, message))
        os._exit(0)
    os.waitpid(child, 0)
    return near.recv(3)


def ask(path, hello, message):
    """Type, flag and reason of the answer to a message behind a greeting."""
    client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    client.settimeout(LIMIT)
    client.connect(path)
    client.send(hello)
    try:
        client.send(message)
    except OSError:
        pass  # The connection may be refused already.
    packet = client.recv(65536)
    if packet[0] == WELCOME:
        packet = client.recv(65536)
    return packet[:3]


def check(folder, binaries):
    runtime, etc, state = (folder / name for name in ("runtime", "etc", "state"))
    for each in (runtime, etc, state):
        each.mkdir(mode=0o755 if each is runtime else 0o700)
    binnacle = str(binaries / "binnacle")
    setting = Terminal([binnacle, "console", "--set-pin", "--config", str(etc)])
    for _ in range(2):
        expect("root is asked for a PIN", setting.sees("PIN"))
        setting.type(PIN + "\n")
    os.waitpid(setting.process, 0)
    daemon = subprocess.Popen(
        [str(binaries / "binnacled"), "--receiver", "/dev/binnacle-none", "--runtime", str(runtime)]
        + ["--state", str(state), "--config", str(etc)],
        stderr=(folder / "log").open("w"),
    )
    try:
        path = str(runtime / "binnacle.sock")
        end = time.monotonic() + LIMIT
        while not os.path.exists(path) and time.monotonic() < end:
            time.sleep(0.1)
        viewer(path)
        console(binnacle, runtime)
        control(path)
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(LIMIT)


def viewer(path):
    question = QUESTIONS["listApps"]
    final = bytes([REFUSED, 1, 7])
    expect("the user may not be an operator", answer(path, OPERATOR, question) == final)
    for role, hello in {"an app": APP, "a console": CONSOLE}.items():
        for name, message in CHANGES.items():
            refused = answer(path, hello, message)
            expect(f"as {role} it is refused {name}", refused == bytes([REFUSED, 0, 7]))
        for name, message in QUESTIONS.items():
            expect(f"as {role} it gets {name}", answer(path, hello, message)[0] not in (REFUSED, ANSWERED))
    token = CONSOLE[:-1] + b"\x10" + bytes(16)
    expect("an invented token is refused", answer(path, token, question) == final)


def console(binnacle, runtime):
    def services():
        return subprocess.run([binnacle, "services", "--runtime", str(runtime)], capture_output=True, text=True).stdout

    person = Terminal([binnacle, "console", "--runtime", str(runtime)], as_user=True)
    expect("the user has a prompt", person.sees(">"))
    person.type("services off\r")
    expect("the console is locked", person.sees("this console is locked; 'unlock'"))
    expect("nothing has changed", services() == "location services: on\n")
    person.type(f"unlock {PIN}\r")
    expect("the PIN unlocks it", person.sees("unlocked>"))
    person.type("services off\r")
    expect("it may change things", person.sees("location services: off") and services() == "location services: off\n")
    person.type("lock\r")
    expect("it is locked again", person.sees("this console is locked again"))
    person.type("exit\r")
    os.waitpid(person.process, 0)


def control(path):
    """The same messages as root: a client that may."""
    expect("root may be an operator", ask(path, OPERATOR, QUESTIONS["listApps"])[0] == ROWS)
    expect("root may change the services", ask(path, OPERATOR, CHANGES["setServices"])[0] == ANSWERED)


def main():
    if os.geteuid() != 0:
        print("check-console-user: skipped, it needs root")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        add_user(folder)
        check(folder, pathlib.Path(sys.argv[1]).resolve())


main()
