"""Writes down which functions an epoch runs through, for the linker to lay them side by side.

    python3 Perf/hot_functions.py RELEASE_FOLDER > Perf/hot-functions.txt

The daemon runs under callgrind beside the receiver and an app of the row "serving", and what it executes in 20 s of its
regular rhythm is the list. The list of "binnacle watch" follows. Between two epochs a processor's caches forget a program,
and each page of code that a wake-up touches costs more than what is done there. The functions that the daemon calls in a
fifth of the epochs or more come first, between two marks: it fetches them all before it runs them (Sources/CPosix/HotCode.c).
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import serving
from receiver import Receiver

SETTLED = 25.0
SECONDS = 20.0
# The receiver sends 10 epochs a second.
CALLS_IN_MANY_EPOCHS = SECONDS * 10 / 5


def functions(profile):
    """The names in a file of callgrind, in the order of their first call, each with the number of its calls."""
    names = {}
    calls = {}
    called = None
    for line in profile:
        if match := re.match(r"(c?)fn=\((\d+)\)(?: (.*))?", line):
            is_called, number, name = match.groups()
            if name:
                names[number] = re.sub(r"'\d+$", "", name.strip())
            calls.setdefault(names[number], 0)
            if is_called:
                called = names[number]
        elif match := re.match(r"calls=(\d+)", line):
            calls[called] += int(match.group(1))
    return calls


def profile(folder, directory, program):
    """Runs a program under callgrind in the regular rhythm; answers the file that it leaves."""
    stripped = os.path.join(directory, program)
    subprocess.run(
        ["objcopy", "--strip-debug", os.path.join(folder, program), stripped], check=True
    )
    out = os.path.join(directory, "callgrind.out")
    wrapper = os.path.join(directory, "wrapper")
    with open(wrapper, "w") as script:
        script.write(
            "#!/bin/sh\nexec valgrind --quiet --tool=callgrind --instr-atstart=no "
            f'--callgrind-out-file={out} {stripped} "$@"\n'
        )
    os.chmod(wrapper, 0o755)
    programs = os.path.join(directory, "programs")
    os.mkdir(programs)
    os.symlink(os.path.join(folder, "binnacle"), os.path.join(programs, "binnacle"))
    daemon = wrapper if program == "binnacled" else os.path.join(folder, "binnacled")
    os.symlink(daemon, os.path.join(programs, "binnacled"))
    # An app's epoch runs through the rights of apps; an operator's does not.
    probe = os.path.join(folder, "latency-probe")
    watch = [wrapper, "watch", "--operator", "--json"]
    client = [probe] if program == "binnacled" else watch
    receiver = Receiver(os.path.join(directory, "written"))
    feeder = os.fork()
    if feeder == 0:
        receiver.run(time.monotonic() + SETTLED + SECONDS + 30)
        os._exit(0)
    side = serving.BinnacledSide("callgrind", programs, probe, client, None)
    process, reader, _ = side.start(receiver.name, directory)
    # A client that does not read is not served as usual.
    threading.Thread(target=reader.stdout.read, daemon=True).start()
    counted = process if program == "binnacled" else reader
    control = ["callgrind_control", str(counted.pid), "-i"]
    time.sleep(SETTLED)
    subprocess.run(control + ["on"], check=True, stdout=subprocess.DEVNULL)
    time.sleep(SECONDS)
    subprocess.run(control + ["off"], check=True, stdout=subprocess.DEVNULL)
    for child in (reader, process):
        child.terminate()
        child.wait()
    os.kill(feeder, 15)
    os.waitpid(feeder, 0)
    return out


def immovable():
    """The names of functions that share a section of 1.6 MB in the standard library, which would lie between the others."""
    toolchain = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("swift"))))
    library = os.path.join(toolchain, "lib", "swift_static", "linux", "libswiftCore.a")
    listing = subprocess.run(
        ["nm", "--print-file-name", library], check=True, capture_output=True, text=True
    )
    symbols = [line.split() for line in listing.stdout.splitlines() if ":Swift.o:" in line]
    return {symbol[-1] for symbol in symbols if symbol[-2] == "t"}


def hot(folder, program):
    """The program's own functions that an epoch runs through, each with the number of its calls."""
    listing = subprocess.run(
        ["nm", os.path.join(folder, program)], check=True, capture_output=True, text=True
    )
    own = {line.split()[-1] for line in listing.stdout.splitlines() if line.split()[-2] in "tTwW"}
    own -= immovable()
    with tempfile.TemporaryDirectory() as directory:
        with open(profile(folder, directory, program)) as lines:
            calls = {name: count for name, count in functions(lines).items() if name in own}
    if len(calls) < 100:
        sys.exit(f"hot_functions: only {len(calls)} of {program} were seen; was there a receiver?")
    return calls


def main():
    folder = os.path.abspath(sys.argv[1])
    daemon = hot(folder, "binnacled")
    often = [name for name, calls in daemon.items() if calls >= CALLS_IN_MANY_EPOCHS]
    marked = ["cposix_hot_begin", *often, "cposix_hot_end"]
    rest = [name for name in daemon if name not in often]
    command = [name for name in hot(folder, "binnacle") if name not in daemon]
    # The linker takes such a line for a comment, and scripts/check-hot-functions.sh for the end of the daemon's list.
    print(*marked, *rest, "# binnacle watch", *command, sep="\n")


if __name__ == "__main__":
    main()
