#!/usr/bin/env python3
"""Runs the bench's scenarios, each in a kernel of its own.

run.py --kernel DIR --root DIR --guest DIR --work DIR [--jobs N] [--cuts N] [--folder NAME] [SCENARIO]

--cuts says how often scenarios that have a number of power cuts have them; --folder where they are, else in scenarios. With a SCENARIO only that one runs and all that it says is shown, with the kernel's console; a pattern such as "line-*"
runs several. The last line is "N passed, N failed"; the status is 0 when nothing failed.
"""

import argparse
import concurrent.futures
import fnmatch
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

HOME = pathlib.Path(__file__).resolve().parent

# The last lines of a scenario that failed.
LINES_SHOWN = 30
# A scenario that passes after its limit is reported. It is ended after this many limits: a machine whose processors are taken
# away by its host needs several times as long as a quiet one.
LIMITS_UNTIL_END = 4


class Scenario:
    """A file of Bench/scenarios; its comments may hold settings such as "# bench: limit=20 time=natural"."""

    DEFAULTS = {"limit": "60", "time": "travel", "disk": "", "memory": "256M", "kernel": "", "cuts": "",
                "partition": ""}

    def __init__(self, path, cuts=None):
        self.name = path.stem
        self.settings = dict(self.DEFAULTS)
        for line in path.read_text().splitlines():
            if not line.startswith("# bench:"):
                continue
            for word in line.removeprefix("# bench:").split():
                key, _, value = word.partition("=")
                if key not in self.settings:
                    raise SystemExit(f"{path}: there is no setting {key}")
                self.settings[key] = value
        self.limit = float(self.settings["limit"])
        self.boots = 20
        if self.settings["cuts"]:
            usual = int(self.settings["cuts"])
            self.cuts = cuts or usual
            self.limit *= max(1, self.cuts / usual)
            self.boots = self.cuts + 2


class Guest:
    """The kernels of one scenario: more than one if the scenario cuts the power or the watchdog resets the board."""

    def __init__(self, scenario, options, says):
        self.scenario = scenario
        self.options = options
        self.says = says
        self.out = pathlib.Path(options.work).resolve() / scenario.name
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        for name in ("log", "console"):
            (self.out / name).touch()
        self.disk = self.out / "disk"
        if scenario.settings["disk"]:
            subprocess.run(["truncate", "-s", scenario.settings["disk"], self.disk], check=True)
        self.partition = self.out / "partition"
        if scenario.settings["partition"]:
            subprocess.run(["truncate", "-s", scenario.settings["partition"], self.partition], check=True)

    def run(self):
        """Why the scenario failed; None when it passed."""
        limit = LIMITS_UNTIL_END * self.scenario.limit
        deadline = time.monotonic() + limit
        boot = 1
        while True:
            ending = self.boot_once(boot, deadline)
            if ending == "cut" and boot < self.scenario.boots:
                boot += 1
                continue
            if ending == "late":
                return f"not over after {limit:g} s"
            verdict = self.out / "verdict"
            if not verdict.exists():
                return "the kernel ended without a verdict"
            status = verdict.read_text().strip()
            return None if status == "0" else f"status {status}"

    def boot_once(self, boot, deadline):
        near, far = socket.socketpair()
        process = subprocess.Popen(
            self.command_line(boot, near.fileno(), far.fileno()),
            stdin=subprocess.DEVNULL,
            stdout=open(self.out / "console", "ab"),
            stderr=subprocess.STDOUT,
            pass_fds=[near.fileno(), far.fileno()],
            env={**os.environ, "TMPDIR": memory_folder()},
            start_new_session=True,
        )
        # The guest is its own session, which one signal ends.
        near.close()
        far.close()
        cut = self.out / "cut"
        cut_at = None
        try:
            while True:
                self.says(self.out / "log")
                rest = 0.02 if cut_at is None else cut_at - time.monotonic()
                try:
                    process.wait(min(0.02, max(0, rest)))
                    return "over"
                except subprocess.TimeoutExpired:
                    pass
                if cut_at is None and cut.exists():
                    # The file contains the longest time until the cut, in seconds. The moment is random.
                    cut_at = time.monotonic() + random.uniform(0, float(cut.read_text()))
                if cut_at is not None and time.monotonic() >= cut_at:
                    return "cut"
                if time.monotonic() > deadline:
                    return "late"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            cut.unlink(missing_ok=True)
            self.says(self.out / "log")

    def command_line(self, boot, near, far):
        settings = self.scenario.settings
        words = [
            kernel_program(self.options.kernel),
            "mem=" + settings["memory"],
            "root=/dev/root",
            "rootfstype=hostfs",
            "hostfs=/",
            "ro",
            f"init={pathlib.Path(self.options.guest).resolve()}/init",
            "con0=null,fd:1",
            "con=null",
            # The two ends of one socket pair: the guest's ttyS0 and ttyS1 are a null modem.
            f"ssl0=fd:{near}",
            f"ssl1=fd:{far}",
            f"uml_dir={self.out}",
            "umid=kernel",
            "panic=-1",
            "seccomp=on",
            f"BENCH_OUT={self.out}",
            f"BENCH_ROOT={pathlib.Path(self.options.root).resolve()}",
            f"BENCH_HOME={HOME}",
            f"BENCH_TOOLS={pathlib.Path(self.options.guest).resolve()}",
            f"BENCH_MODULES={pathlib.Path(self.options.kernel).resolve()}",
            f"BENCH_SCENARIO={self.options.folder}/{self.scenario.name}",
            # For pages with programs in Swift; the toolchain may be anywhere.
            f"BENCH_SWIFT={swift_folder()}",
            f"BENCH_BOOT={boot}",
        ]
        if settings["cuts"]:
            words.append(f"BENCH_CUTS={self.scenario.cuts}")
        if settings["time"] == "travel":
            words.append("time-travel=inf-cpu")
        if settings["disk"]:
            words.append(f"ubd0={self.disk}")
        if settings["partition"]:
            words.append(f"ubd1={self.partition}")
        words += settings["kernel"].split(",") if settings["kernel"] else []
        words += ["loglevel=4"] if self.options.scenario else ["quiet", "loglevel=3"]
        return words


def kernel_program(folder):
    programs = sorted(p for p in pathlib.Path(folder).resolve().glob("linux*") if os.access(p, os.X_OK))
    if not programs:
        raise SystemExit(f"bench: there is no kernel in {folder}")
    return str(programs[0])


def swift_folder():
    """Where the host has Swift; Debian keeps its toolchain in a folder of its own."""
    program = shutil.which(os.environ.get("SWIFT") or "swift") or "/usr/libexec/swift/bin/swift"
    return str(pathlib.Path(program).parent)


def memory_folder():
    """The folder for the guests' memory: /dev/shm if it has enough space, otherwise a folder on the disk."""
    shared = pathlib.Path("/dev/shm")
    if shared.is_dir() and os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > 1 << 30:
        return str(shared)
    return os.environ.get("TMPDIR", "/tmp")


def follow():
    """Shows a growing file from where it was left."""
    position = 0

    def show(log):
        nonlocal position
        with open(log, "rb") as file:
            file.seek(position)
            piece = file.read()
        position += len(piece)
        sys.stdout.write(piece.decode(errors="replace"))
        sys.stdout.flush()

    return show


def tail(path):
    return path.read_text(errors="replace").splitlines()[-LINES_SHOWN:]


def run_one(scenario, options, says, lock):
    began = time.monotonic()
    guest = Guest(scenario, options, says)
    try:
        reason = guest.run()
    except Exception as error:  # A scenario that cannot even be started has failed as well.
        reason = f"{type(error).__name__}: {error}"
    seconds = time.monotonic() - began
    with lock:
        if options.scenario:
            for line in tail(guest.out / "console"):
                print(f"console: {line}")
        word = "passed" if reason is None else "failed"
        if reason is None and seconds > scenario.limit:
            remark = f"over its limit of {scenario.limit:g} s"
        else:
            remark = reason
        print(f"{word}  {scenario.name:<28} {seconds:5.1f} s{'  ' + remark if remark else ''}", flush=True)
        if reason is not None and not options.scenario:
            for line in tail(guest.out / "log") or tail(guest.out / "console"):
                print(f"    {line}", flush=True)
        if reason is not None or options.scenario:
            print(f"    all of it: {guest.out}/log and console", flush=True)
    return reason is None


def main():
    arguments = argparse.ArgumentParser()
    for name in ("kernel", "root", "guest", "work"):
        arguments.add_argument("--" + name, required=True)
    # One more than there are cores: some scenarios wait for the host's clock.
    arguments.add_argument("--jobs", type=int, default=(os.cpu_count() or 1) + 1)
    arguments.add_argument("--cuts", type=int)
    arguments.add_argument("--folder", default="scenarios")
    arguments.add_argument("scenario", nargs="?")
    options = arguments.parse_args()
    for path in (options.root, options.work, HOME):
        if re.search(r"[\s:,]", str(pathlib.Path(path).resolve())):
            raise SystemExit(f"bench: {path}: a blank, colon or comma in a path does not reach the guest")

    scenarios = [Scenario(path, options.cuts) for path in sorted((HOME / options.folder).glob("*.sh"))]
    if options.scenario:
        scenarios = [each for each in scenarios if fnmatch.fnmatchcase(each.name, options.scenario)]
        if not scenarios:
            raise SystemExit(f"bench: there is no scenario {options.scenario} in {HOME}/{options.folder}")
        if len(scenarios) > 1:
            options.scenario = None
    # The longest first, so that none is left to run alone at the end.
    scenarios.sort(key=lambda each: -each.limit)
    began = time.monotonic()
    lock = threading.Lock()
    says = follow() if options.scenario else lambda log: None
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda each: run_one(each, options, says, lock), scenarios))
    print(f"{time.monotonic() - began:.0f} s of wall time with {options.jobs} at a time, the installation not counted")
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if all(results) and results else 1


if __name__ == "__main__":
    sys.exit(main())
