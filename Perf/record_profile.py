"""Records which branches the daemon and its clients take in their regular rhythm, for the compiler.

    python3 Perf/record_profile.py INSTRUMENTED_FOLDER RELEASE_FOLDER PROFILE

The instrumented daemon runs beside the receiver of the row "serving", once with an app and once with an operator as its
client. Daemon and clients count their branches. The compiler then moves the branches that an epoch does not take away from
the others. The profile has the counts by the names of functions. Functions that only one file can see are left out, because their names
begin with a path of this machine.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time

import serving

SECONDS = 40.0


def main():
    instrumented, release, profile = map(os.path.abspath, sys.argv[1:4])
    os.environ["TZ"] = "UTC"
    time.tzset()
    with tempfile.TemporaryDirectory() as directory:
        programs = os.path.join(directory, "programs")
        os.mkdir(programs)
        # The commands that give the app its rights are not counted.
        os.symlink(os.path.join(release, "binnacle"), os.path.join(programs, "binnacle"))
        os.symlink(os.path.join(instrumented, "binnacled"), os.path.join(programs, "binnacled"))
        probe = os.path.join(instrumented, "latency-probe")
        watch = [os.path.join(instrumented, "binnacle"), "watch", "--operator", "--json"]
        os.environ["LLVM_PROFILE_FILE"] = os.path.join(directory, "%p.profraw")
        for client in ([probe], watch):
            stamp = serving.probe_stamp if client == [probe] else serving.watch_stamp
            side = serving.BinnacledSide("profile", programs, probe, client, stamp)
            serving.measure(side, SECONDS)
        counts = glob.glob(os.path.join(directory, "*.profraw"))
        # A program writes its counts at its end.
        if len(counts) != 4 or min(map(os.path.getsize, counts)) < 100_000:
            sys.exit("record_profile: a program has left no counts; was it built for that?")
        toolchain = os.path.dirname(os.path.realpath(shutil.which("swift")))
        merge = [os.path.join(toolchain, "llvm-profdata"), "merge", "--sparse"]
        merge += ["--no-function=;", "-o", profile]
        subprocess.run(merge + counts, check=True)


if __name__ == "__main__":
    main()
