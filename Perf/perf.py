"""make perf: a table of speed and size, every row beside a control and with the command that measured it.

perf.py BIN_FOLDER RECORDINGS [ROW...]: rows are framing, solutions, decode, motion, serving, crowd; all of them by itself.
CPU time is what getrusage says of the children, the best of several runs in alternation with the control.
"""

import glob
import json
import os
import shutil
import statistics
import subprocess
import sys

from pace import slowdown

MEGABYTES = 64
RUNS = 3


def repeated_recordings(folder):
    """All recordings one after another, again and again until 64 MB; made once."""
    path = f"build/perf/recordings-{MEGABYTES}MB.bin"
    if not os.path.exists(path):
        os.makedirs("build/perf", exist_ok=True)
        once = b"".join(open(name, "rb").read() for name in sorted(glob.glob(folder + "/*")))
        if not once:
            sys.exit(f"perf: no recordings in {folder}; see HACKING.md, Recordings")
        times = -(-MEGABYTES * 1_000_000 // len(once))
        with open(path + ".part", "wb") as out:
            for _ in range(times):
                out.write(once)
        os.rename(path + ".part", path)
    return path


def cpu_seconds(command, source=None):
    """User and system time of one run that writes to nowhere."""
    with open(source or os.devnull, "rb") as stdin:
        child = subprocess.Popen(
            command, stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"perf: {' '.join(command)} ended with status {child.returncode}")
    return usage.ru_utime + usage.ru_stime


def best_of_pairs(ours, control):
    """Best CPU time of each, in alternation: what the neighbors do hits both."""
    pairs = [(cpu_seconds(*ours), cpu_seconds(*control)) for _ in range(RUNS)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def print_row(what, figure, goal, control, command):
    print(f"| {what} | {figure} | {goal} | {control} | `{command}` |", flush=True)


def decoding(what, goal, ours, control_name, control, size):
    if shutil.which(control[0][0]) is None:
        return print_row(what, "-", goal, f"{control_name} is not here: make deps-perf", "-")
    mine, other = best_of_pairs(ours, control)
    print_row(
        what,
        f"{size / mine / 1e6:.0f} MB/s",
        goal,
        f"{control_name}: {size / other / 1e6:.1f} MB/s; {other / mine:.1f} times",
        " ".join(os.path.relpath(word) if word.startswith("/") else word for word in ours[0]),
    )


def spread(figures, form):
    """The median, and from where to where they go."""
    if not figures:
        return "-"
    middle = statistics.median(figures)
    return f"{middle:{form}} ({min(figures):{form}} to {max(figures):{form}})"


def motion(perf):
    """The detector of rest and its control in turns, the best of each: it reckons its CPU time by itself."""
    figures = {"motion": [], "motion-recomputed": []}
    for _ in range(RUNS):
        for work, found in figures.items():
            output = subprocess.run([perf, work], stdout=subprocess.PIPE, check=True, text=True)
            found.append(int(output.stdout.split(": ")[1].split()[0]))
    mine, other = (min(found) for found in figures.values())
    print("| what | figure | goal | control | command |")
    print("|---|---|---|---|---|")
    print_row(
        "detector of rest, 100 Hz",
        f"{mine} ns a sample",
        "under 200 ns",
        f"two seconds anew for each sample: {other} ns{'' if other > 200 else ' (should fail, does not)'}",
        os.path.relpath(perf) + " motion",
    )


def observed(command):
    """What a command prints, and sentences about the machine before and after it."""
    states = [(os.getloadavg()[0], *slowdown())]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    states.append((os.getloadavg()[0], *slowdown()))
    (before, *_), (after, *_) = states
    return output, (
        f"load {before:.1f} before and {after:.1f} after, on {os.cpu_count()} processors;"
        " a fixed piece of work took\n"
        + " and ".join(f"{median:.1f} (p99 {p99:.1f})" for _, median, p99 in states)
        + " times the CPU time of its fastest hundredth: about 1 on a quiet machine"
    )


def serving(programs):
    command = [sys.executable, "Perf/serving.py", programs, os.path.join(programs, "latency-probe")]
    print()
    print(
        "| serving one client at 10 Hz | CPU | of gpsd's | wake-ups | latency median | p99"
        " | of gpsd's | private dirty | Rss |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    output, machine = observed(command)
    for row in map(json.loads, output.splitlines()):
        print(
            f"| {row['name']} | {spread(row['cpu_ms_per_s'], '.2f')} ms/s"
            f" | {spread(row['of_control'], '.0%')} | {row['wakeups_per_s']:.0f}/s"
            f" | {row['median_ms']:.2f} ms | {row['p99_ms']:.2f} ms"
            f" | {spread(row['p99_of_same_kind'], '.0%')}"
            f" | {row['private_dirty_kb']} kB | {row['rss_kb']} kB |"
            f" ({row['epochs']} epochs, {row['missing']} missing)"
        )
    print("\nmeasured by `" + " ".join(["python3"] + command[1:]) + "`, in turns;")
    print("of CPU and of the shares of gpsd's the median and the range of the rounds; memory after 90 s;")
    print(machine)
    print("goals: CPU at most 0.40 of gpsd's, at most 12 wake-ups/s, median at most 0.5 ms,")
    print("p99 at most gpsd's with the same kind of client, private dirty at most 1,200 kB")


def crowd(programs):
    """64 clients of binnacled and of gpsd in turns: a row for each run, since one is a figure by itself."""
    command = [sys.executable, "Perf/crowd.py", programs]
    print()
    print(
        "| serving 64 clients at 10 Hz | CPU | latency median | p99 | updates of a client | missing"
        " | private dirty | growth | Rss |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    output, machine = observed(command)
    for row in map(json.loads, output.splitlines()):
        print(
            f"| {row['name']} | {row['cpu_ms_per_s']:.2f} ms/s"
            f" | {row['median_ms']:.2f} ms | {row['p99_ms']:.2f} ms"
            f" | {row['updates_min']} to {row['updates_max']} | {row['missing']}"
            f" | {row['private_dirty_kb']} kB | {row['growth_kb']:+d} kB | {row['rss_kb']} kB |"
            f" ({row['epochs']} epochs)"
        )
    print("\nmeasured by `" + " ".join(["python3"] + command[1:]) + "`, in turns;")
    print(machine)
    print("goals: p99 under 20 ms, every client has all updates, private dirty does not grow")


def main():
    programs, recordings = sys.argv[1:3]
    rows = sys.argv[3:] or ["framing", "solutions", "decode", "motion", "serving", "crowd"]
    perf, binnacle = (os.path.join(programs, name) for name in ("binnacle-perf", "binnacle"))
    if set(rows) & {"framing", "solutions", "decode"}:
        path = repeated_recordings(recordings)
        size = os.path.getsize(path)
        print(f"{size / 1e6:.0f} MB of recordings, CPU time, best of {RUNS}\n")
        print("| what | figure | goal | control | command |")
        print("|---|---|---|---|---|")
        gpsdecode = (["gpsdecode", "-j"], path)
        checksum = (["sum", "-r", path],)
        if "framing" in rows:
            ours = ([perf, "framing", path],)
            decoding("framing with checksums", "300 MB/s", ours, "sum -r", checksum, size)
        if "solutions" in rows:
            ours = ([perf, "solutions", path],)
            decoding("bytes to solutions", "92 MB/s", ours, "gpsdecode -j", gpsdecode, size)
        if "decode" in rows:
            ours = ([binnacle, "decode", path],)
            decoding("binnacle decode", "3 times gpsdecode", ours, "gpsdecode -j", gpsdecode, size)
    if "motion" in rows:
        motion(perf)
    if "serving" in rows:
        serving(programs)
    if "crowd" in rows:
        crowd(programs)


if __name__ == "__main__":
    main()
