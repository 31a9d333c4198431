"""A machine of QEMU that runs an image, with a simulated receiver on a serial line."""

import json
import os
import socket
import subprocess
import time
from pathlib import Path


QEMU = ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53", "-smp", "2", "-m", "512", "-display", "none"]


class Failure(Exception):
    """A step of the run that did not go as it should."""


def until(seconds: float, what: str, condition):
    """Waits until the condition is true, and returns its value."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.5)
    raise Failure(f"{what}: not within {seconds:.0f} s")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Receiver:
    """A simulated receiver on a pseudo-terminal. It has power of its own, as a receiver with a backup battery has."""

    def __init__(self, simulator: str, work: Path) -> None:
        self.line = work / "receiver"
        self.log = open(work / "receiver.log", "w")
        command = [simulator, "receiver", "--generation", "m10", "--seed", "7", "--path", "journey", "--tty", str(self.line)]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)
        until(10, "the simulated receiver", self.line.exists)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


class Machine:
    """One power-on of a board."""

    def __init__(self, disk: Path, boot_loader: Path, receiver: Path, work: Path, key: Path, name: str,
                 recording: Path | None = None) -> None:
        """Starts the board; `recording` gets all writes and flushes of the disk, in the format of dm-log-writes."""
        self.work, self.key = work, key
        self.port = free_port()
        self.log = work / f"kernel-{name}.log"
        self.console_path = work / "console.sock"
        self.console_path.unlink(missing_ok=True)
        self.started = time.time()
        file = f"file.driver=file,file.filename={disk},node-name=disk"
        node = f"driver=raw,{file}"
        if recording:
            recording.touch()
            node = f"driver=blklogwrites,{file},log.driver=file,log.filename={recording}"
        self.process = subprocess.Popen([
            *QEMU, "-bios", str(boot_loader), "-serial", f"file:{self.log}",
            "-blockdev", node, "-device", "virtio-blk-pci,drive=disk,romfile=",
            "-chardev", f"serial,id=receiver,path={receiver}", "-device", "pci-serial,chardev=receiver,addr=8",
            "-chardev", f"socket,id=console,path={self.console_path},server=on,wait=off", "-device", "pci-serial,chardev=console,addr=9",
            "-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{self.port}-:22", "-device", "virtio-net-pci,netdev=net,romfile=",
            "-device", "virtio-keyboard-pci", "-device", "i6300esb", "-action", "watchdog=reset",
        ], stderr=open(work / f"qemu-{name}.log", "w"))

    def cut_power(self) -> None:
        # QEMU writes nothing more for the board then, but the rest of its own recording.
        self.process.terminate()
        self.process.wait()

    def wait_for_line(self, text: str, seconds: float) -> float:
        """Waits for text on the kernel's console, and returns the seconds since power-on."""
        def is_there() -> bool:
            if self.process.poll() is not None:
                raise Failure("QEMU has ended: " + (self.work / "qemu-first.log").read_text())
            return self.log.exists() and text.encode() in self.log.read_bytes()
        until(seconds, f"“{text}” on the kernel's console", is_there)
        return time.time() - self.started

    def run(self, command: str, seconds: float = 60, must_succeed: bool = True, given: Path | None = None) -> subprocess.CompletedProcess:
        """Runs a command on the board, as its owner does over the network; `given` is its standard input."""
        result = subprocess.run([
            "ssh", "-i", str(self.key), "-p", str(self.port), "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
            "-o", "LogLevel=ERROR", "-o", "ConnectTimeout=10", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=10",
            "-o", f"ControlPath={self.work}/control-{self.port}", "-o", "ControlMaster=auto", "-o", "ControlPersist=600",
            "root@127.0.0.1", command], stdin=open(given) if given else subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds)
        if must_succeed and result.returncode != 0:
            raise Failure(f"{command}: status {result.returncode}: {result.stdout}{result.stderr}")
        return result

    def answers(self) -> bool:
        try:
            return self.run("true", seconds=30, must_succeed=False).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def json(self, command: str) -> list[dict]:
        return [json.loads(line) for line in self.run(command).stdout.splitlines() if line.startswith("{")]

    def ask_console(self, command: str, expected: str, seconds: float) -> str:
        """Types a command at the serial console, and returns what the console has printed."""
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self.console_path))
            line.settimeout(1)
            said = b""
            end = time.monotonic() + seconds
            typed = 0.0
            while time.monotonic() < end:
                if time.monotonic() - typed > 10:
                    line.sendall(b"\r" if not typed else command.encode() + b"\r")
                    typed = time.monotonic()
                try:
                    said += line.recv(4096)
                except TimeoutError:
                    continue
                if expected.encode() in said:
                    return said.decode(errors="replace")
        raise Failure(f"the console does not answer “{command}”; it has printed {said[-500:]!r}")

    def end(self) -> None:
        if self.process.poll() is None:
            self.cut_power()
        for path in self.work.glob("control-*"):
            os.unlink(path)
