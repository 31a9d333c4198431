"""Measures a daemon that serves one client from a receiver at 115,200 baud and 10 Hz, beside gpsd.

Each side gets a pseudo-terminal with the receiver of receiver.py behind it, and one client. What is measured
between two readings of /proc: CPU time and voluntary context switches of all threads, latency from just before
the write of NAV-PVT's last byte to the client, and memory.

A client of its own costs a wake-up more than a socket that this process reads: a program that prints what it gets
is compared with gpspipe, and a socket with a socket.

The sides take turns, in short runs and in another order each round: what an epoch costs depends on what the
neighbors do to caches and to the processor's speed, and that changes within minutes. Our CPU time is compared
with gpsd's of the same round; the ratios' median is the figure, and their range says how sure it is. The p99 of all
rounds is that of the few epochs in which the host of a virtual machine was busy, so the p99 of a round is compared
with that of gpsd's same kind of client in the same round, too.

Memory is that at the end of one longer run of each side: binnacled's flight recorder is full then.
"""

import json
import os
import select
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

from receiver import RATE, Receiver

WARM_UP = 5.0
SECONDS = 17.0
ROUNDS = 5
MEMORY_SECONDS = 90.0


class Reading:
    """The CPU time, switches and memory of a process, from /proc."""

    def __init__(self, pid):
        self.when = time.monotonic()
        self.cpu_ns = self.switches = 0
        for task in os.listdir(f"/proc/{pid}/task"):
            self.cpu_ns += int(open(f"/proc/{pid}/task/{task}/schedstat").read().split()[0])
            for line in open(f"/proc/{pid}/task/{task}/status"):
                if line.startswith("voluntary_ctxt_switches"):
                    self.switches += int(line.split()[1])
        memory = dict(
            line.split()[:2] for line in open(f"/proc/{pid}/smaps_rollup") if line[0] in "RP"
        )
        self.rss_kb = int(memory["Rss:"])
        self.private_dirty_kb = int(memory["Private_Dirty:"])


class Binnacled:
    """A daemon in a directory of its own, with the probe as an app that a manifest names."""

    APP = "org.binnacle.probe"

    def __init__(self, programs, probe, device, directory, settings=""):
        self.command = os.path.join(programs, "binnacle")
        runtime = os.path.join(directory, "run")
        self.environment = dict(os.environ, BINNACLE_RUNTIME=runtime)
        board = os.path.join(directory, "perf.conf")
        with open(board, "w") as profile:
            profile.write(f"[Receiver]\nRate={RATE} Hz\n{settings}")
        manifests = os.path.join(directory, "config", "apps.d")
        os.makedirs(manifests)
        with open(os.path.join(manifests, "probe.app"), "w") as manifest:
            manifest.write(
                f"[App]\nIdentifier={self.APP}\nExecutable={os.path.realpath(probe)}\n"
                f"User={os.getuid()}\nWhenInUseUsageDescription=Measures latency.\n"
            )
        daemon = os.path.join(programs, "binnacled")
        command = [daemon, "--board", board, "--receiver", device, "--runtime", runtime]
        command += ["--config", os.path.dirname(manifests)]
        command += ["--state", os.path.join(directory, "state")]
        log = open(os.path.join(directory, "daemon.log"), "w")
        self.process = subprocess.Popen(command, stderr=log)
        await_that(lambda: os.path.exists(runtime + "/binnacle.sock"), self.process, daemon)

    def permit_probe(self):
        """Gives the probe what a person gives an app on the screen: consent and the foreground."""
        for verb in ("allow", "foreground"):
            await_that(lambda: self.order(verb) == 0, self.process, f"{verb} {self.APP}")

    def order(self, verb):
        return subprocess.call(
            [self.command, verb, self.APP],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=self.environment,
        )


class BinnacledSide:
    """binnacled with a client; `client` is the command that prints what it gets."""

    is_packets = False

    def __init__(self, name, programs, probe, client, stamp):
        self.name, self.programs, self.probe = name, programs, probe
        self.client, self.stamp = client, stamp

    def start(self, device, directory):
        daemon = Binnacled(self.programs, self.probe, device, directory)
        reader = printing(self.client, daemon.environment)
        if self.client == [self.probe]:
            daemon.permit_probe()
        return daemon.process, reader, reader.stdout.fileno()


class BinnacledSocketSide:
    """binnacled with this process as its client, which reads packets (Docs/SPEC-wire.md)."""

    is_packets = True
    client = None

    def __init__(self, programs, probe):
        self.name, self.programs, self.probe = "binnacled, its socket", programs, probe

    def start(self, device, directory):
        daemon = Binnacled(self.programs, self.probe, device, directory)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.connect(os.path.join(directory, "run", "binnacle.sock"))
        # helloInRole of an operator, version 7, then openUpdates of sequence 1.
        self.socket.send(b"\x35BNCL" + struct.pack("<HHH", 7, 7, 4) + b"perf\x01")
        self.socket.send(b"\x02" + struct.pack("<IB", 1, 0))
        return daemon.process, None, self.socket.fileno()

    def stamp(self, packet, now):
        """The epoch of an update with a fix, and when it came."""
        if packet[0] != 131 or packet[7] == 0:
            return None
        seconds, nanoseconds = struct.unpack_from("<qI", packet, 88)
        return seconds * 1000 + nanoseconds // 1_000_000, now


class GpsdSide:
    """gpsd, which only listens to its receiver, with a client that watches in JSON.

    `client` is a command that takes SERVER:PORT and prints what it gets; without it this process is the client.
    """

    is_packets = False

    def __init__(self, name, program, client=None):
        self.name, self.program, self.client = name, program, client

    def start(self, device, directory):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [self.program, "-n", "-b", "-N", "-S", str(port), device]
        log = open(os.path.join(directory, "gpsd.log"), "w")
        process = subprocess.Popen(command, stdout=log, stderr=log)
        self.socket = socket.socket()
        connected = lambda: self.socket.connect_ex(("127.0.0.1", port)) == 0
        await_that(connected, process, self.program)
        if self.client:
            self.socket.close()
            reader = printing(self.client + [f"127.0.0.1:{port}"], os.environ)
            return process, reader, reader.stdout.fileno()
        self.socket.sendall(b'?WATCH={"enable":true,"json":true}\n')
        return process, None, self.socket.fileno()

    def stamp(self, line, now):
        """The epoch that a line of output reports, and when the line came."""
        if b'"TPV"' not in line:
            return None
        stamp = json.loads(line).get("time")
        return (milliseconds(stamp), now) if stamp else None


def printing(command, environment):
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )


def milliseconds(stamp):
    """Milliseconds since 1970 of an RFC 3339 time in UTC."""
    whole, fraction = stamp.rstrip("Z").split(".")
    seconds = int(time.mktime(time.strptime(whole, "%Y-%m-%dT%H:%M:%S"))) - time.timezone
    return seconds * 1000 + int(fraction[:3].ljust(3, "0"))


def watch_stamp(line, now):
    stamp = json.loads(line).get("timestamp")
    return (milliseconds(stamp), now) if stamp else None


def probe_stamp(line, now):
    """The probe prints the time of the epoch and the instant at which its own loop turned."""
    epoch_ms, instant = line.split()
    return int(epoch_ms), int(instant)


def await_that(condition, process, name):
    limit = time.monotonic() + 60
    while not condition():
        if process.poll() is not None or time.monotonic() > limit:
            sys.exit(f"serving: {name} did not start (status {process.poll()})")
        time.sleep(0.02)


def measure(side, seconds):
    """Runs one side for some seconds."""
    directory = tempfile.mkdtemp()
    written = os.path.join(directory, "written")
    receiver = Receiver(written)
    feeder = os.fork()
    if feeder == 0:
        receiver.run(time.monotonic() + seconds)
        os._exit(0)
    came = {}
    process, reader, output = side.start(receiver.name, directory)
    try:
        end = time.monotonic() + seconds
        first = None
        rest = b""
        while (now := time.monotonic()) < end - 0.5:
            if first is None and now > end - seconds + WARM_UP:
                first = Reading(process.pid)
            if not select.select([output], [], [], 0.2)[0]:
                continue
            data = os.read(output, 65_536)
            instant = time.monotonic_ns()
            if not data:
                sys.exit(f"serving: the client of {side.name} ended")
            *messages, rest = [data, b""] if side.is_packets else (rest + data).split(b"\n")
            for message in filter(None, messages):
                if stamped := side.stamp(message, instant):
                    came.setdefault(*stamped)
        last = Reading(process.pid)
    finally:
        for child in filter(None, (reader, process)):
            child.send_signal(signal.SIGTERM)
        for child in filter(None, (reader, process)):
            child.wait()
        os.waitpid(feeder, 0)
        os.close(receiver.near)
        os.close(receiver.far)
    slice = Slice(first, last, written, came)
    shutil.rmtree(directory)
    return slice


class Slice:
    """The figures of one short run of binnacled or gpsd."""

    def __init__(self, first, last, written, came):
        self.seconds = last.when - first.when
        self.cpu_ms_per_s = (last.cpu_ns - first.cpu_ns) / 1e6 / self.seconds
        self.switches = last.switches - first.switches
        self.private_dirty_kb = last.private_dirty_kb
        self.rss_kb = last.rss_kb
        self.latencies = []
        self.missing = 0
        for line in open(written):
            epoch_ms, instant = map(int, line.split())
            if not first.when <= instant / 1e9 <= last.when - 0.1:
                continue
            if epoch_ms in came:
                self.latencies.append((came[epoch_ms] - instant) / 1e6)
            else:
                self.missing += 1


def p99(latencies):
    return sorted(latencies)[int(len(latencies) * 0.99)]


def figures(name, slices, controls, same_kind, long):
    """A row of figures of one side's slices, beside those of the same rounds; memory is that of the long run.

    `controls` are gpsd's for CPU time, `same_kind` those of gpsd's same kind of client for latency.
    """
    latencies = [latency for slice in slices for latency in slice.latencies]
    if not all(slice.latencies for slice in slices + same_kind):
        sys.exit(f"serving: {name} got no position")
    seconds = sum(slice.seconds for slice in slices)
    return {
        "name": name,
        "cpu_ms_per_s": [slice.cpu_ms_per_s for slice in slices],
        "of_control": [
            ours.cpu_ms_per_s / control.cpu_ms_per_s for ours, control in zip(slices, controls)
        ],
        "wakeups_per_s": sum(slice.switches for slice in slices) / seconds,
        "median_ms": statistics.median(latencies),
        "p99_ms": p99(latencies),
        "p99_of_same_kind": [
            p99(ours.latencies) / p99(theirs.latencies) for ours, theirs in zip(slices, same_kind)
        ],
        "epochs": len(latencies),
        "missing": sum(slice.missing for slice in slices),
        "private_dirty_kb": long.private_dirty_kb,
        "rss_kb": long.rss_kb,
    }


def main():
    """serving.py BIN_FOLDER PROBE [SECONDS [ROUNDS]]: one row of JSON for each side.

    SECONDS are those of one run of one side.
    """
    os.environ["TZ"] = "UTC"
    time.tzset()
    programs, probe = sys.argv[1:3]
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else SECONDS
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else ROUNDS
    sides = [
        BinnacledSide("binnacled, CoreLocation client", programs, probe, [probe], probe_stamp),
        BinnacledSide(
            "binnacled, binnacle watch --operator --json",
            programs,
            probe,
            [os.path.join(programs, "binnacle"), "watch", "--operator", "--json"],
            watch_stamp,
        ),
        BinnacledSocketSide(programs, probe),
    ]
    if gpsd := shutil.which("gpsd", path=os.environ["PATH"] + ":/usr/sbin"):
        if gpspipe := shutil.which("gpspipe"):
            sides.append(GpsdSide("gpsd, gpspipe -w", gpsd, [gpspipe, "-w"]))
        sides.append(GpsdSide("gpsd, its socket", gpsd))
    slices = {side: [] for side in sides}
    for turn in range(rounds):
        first = turn % len(sides)
        for side in sides[first:] + sides[:first]:
            slices[side].append(measure(side, seconds))
    theirs = [side for side in sides if isinstance(side, GpsdSide)]
    controls = slices[sides[-1]] if theirs else []
    for side in sides:
        same_kind = [other for other in theirs if bool(other.client) == bool(side.client)]
        latencies = slices[same_kind[0]] if same_kind else []
        long = measure(side, MEMORY_SECONDS)
        row = figures(side.name, slices[side], controls, latencies, long)
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
