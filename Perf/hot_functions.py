"""Writes down which functions of the daemon an epoch runs through, for the linker to lay them side by side.

    python3 Perf/hot_functions.py RELEASE_FOLDER > Perf/hot-functions.txt

The daemon runs under callgrind beside the receiver and the client of the row "serving", and what it executes in 20 s
of its regular rhythm is the list. Between two epochs a processor's caches forget the daemon, and each page of code
that a wake-up touches costs more than what is done there.
"""

import os
import re
import subprocess
import sys
import tempfile
import threading
import time

import serving
from receiver import Receiver

SETTLED = 25.0
SECONDS = 20.0


def functions(profile):
    """The names in a file of callgrind, in the order of their first call."""
    names = {}
    found = {}
    for line in profile:
        if match := re.match(r"c?fn=\((\d+)\)(?: (.*))?", line):
            number, name = match.groups()
            if name:
                names[number] = re.sub(r"'\d+$", "", name.strip())
            found.setdefault(names[number])
    return list(found)


def profile(folder, directory):
    """Runs the daemon under callgrind; answers the file that it leaves."""
    daemon = os.path.join(directory, "binnacled")
    subprocess.run(
        ["objcopy", "--strip-debug", os.path.join(folder, "binnacled"), daemon], check=True
    )
    out = os.path.join(directory, "callgrind.out")
    programs = os.path.join(directory, "programs")
    os.mkdir(programs)
    os.symlink(os.path.join(folder, "binnacle"), os.path.join(programs, "binnacle"))
    wrapper = os.path.join(programs, "binnacled")
    with open(wrapper, "w") as script:
        script.write(
            "#!/bin/sh\nexec valgrind --quiet --tool=callgrind --instr-atstart=no "
            f'--callgrind-out-file={out} {daemon} "$@"\n'
        )
    os.chmod(wrapper, 0o755)
    receiver = Receiver(os.path.join(directory, "written"))
    feeder = os.fork()
    if feeder == 0:
        receiver.run(time.monotonic() + SETTLED + SECONDS + 30)
        os._exit(0)
    # An app's epoch runs through the rights of apps; an operator's does not.
    probe = os.path.join(folder, "latency-probe")
    side = serving.BinnacledSide("callgrind", programs, probe, [probe], None)
    process, reader, _ = side.start(receiver.name, directory)
    # A client that does not read is not served as usual.
    threading.Thread(target=reader.stdout.read, daemon=True).start()
    control = ["callgrind_control", str(process.pid), "-i"]
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


def main():
    folder = os.path.abspath(sys.argv[1])
    listing = subprocess.run(
        ["nm", os.path.join(folder, "binnacled")], check=True, capture_output=True, text=True
    )
    own = {line.split()[-1] for line in listing.stdout.splitlines() if line.split()[-2] in "tTwW"}
    with tempfile.TemporaryDirectory() as directory:
        with open(profile(folder, directory)) as lines:
            names = [name for name in functions(lines) if name in own]
    if len(names) < 100:
        sys.exit(f"hot_functions: only {len(names)} functions were seen; was there a receiver?")
    print("\n".join(names))


if __name__ == "__main__":
    main()
