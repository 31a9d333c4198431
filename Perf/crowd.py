"""Measures a daemon that serves 64 clients at 10 Hz, beside gpsd with as many.

Each client of binnacled is a process of its own with 32 sequences for a drive; each client of gpsd is a connection that
watches in JSON. The receiver is that of receiver.py. Latency is from just before the write of NAV-PVT's last byte to the
loop of each sequence, or to the read of each of gpsd's clients. The time of measurement begins when every client has
got a position, and ends shortly before the clients do.
"""

import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from receiver import Receiver
from serving import Binnacled, GpsdSide, Reading

CLIENTS = 64
SEQUENCES = 32
SECONDS = 30.0
ROUNDS = 3
SETTLING = 1.0


class BinnacledCrowd:
    """binnacled with 64 programs, and room for the commands of their user; each program writes its times to a file."""

    name = f"binnacled, {SEQUENCES} sequences each"

    def __init__(self, programs):
        self.programs = programs
        self.probe = os.path.join(programs, "latency-probe")

    def start(self, device, directory, end):
        self.directory = directory
        settings = f"[Clients]\nClientsMax={CLIENTS + 2}\nClientsPerUserMax={CLIENTS}\n"
        daemon = Binnacled(self.programs, self.probe, device, directory, settings)
        self.clients = [self.client(number, daemon, end) for number in range(CLIENTS)]
        daemon.permit_probe()
        return daemon.process

    def client(self, number, daemon, end):
        with open(self.path(number), "w") as output:
            return subprocess.Popen(
                [self.probe, str(SEQUENCES), f"{end - time.monotonic():.2f}"],
                stdout=output,
                stderr=subprocess.DEVNULL,
                env=daemon.environment,
            )

    def path(self, number):
        return os.path.join(self.directory, f"client-{number}")

    def read(self, seconds):
        time.sleep(seconds)

    def finish(self):
        for client in self.clients:
            client.wait()

    def arrivals(self):
        """For each sequence of each client: its client, and when which epoch came."""
        for number in range(CLIENTS):
            came = [{} for _ in range(SEQUENCES)]
            for line in open(self.path(number)):
                epoch_ms, instant, sequence = map(int, line.split())
                came[sequence].setdefault(epoch_ms, instant)
            for epochs in came:
                yield number, epochs


class GpsdCrowd:
    """gpsd with 64 connections; what they read is taken apart after the run."""

    name = "gpsd, JSON clients"

    def __init__(self, program):
        self.side = GpsdSide(self.name, program)

    def start(self, device, directory, end):
        process, _, _ = self.side.start(device, directory)
        address = self.side.socket.getpeername()
        self.pieces = []
        self.selector = selectors.DefaultSelector()
        for number in range(CLIENTS):
            client = self.side.socket if number == 0 else socket.create_connection(address)
            if number > 0:
                client.sendall(b'?WATCH={"enable":true,"json":true}\n')
            client.setblocking(False)
            self.selector.register(client, selectors.EVENT_READ, number)
        return process

    def read(self, seconds):
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            for key, _ in self.selector.select(left):
                data = key.fileobj.recv(65_536)
                self.pieces.append((key.data, time.monotonic_ns(), data))
                if not data:
                    sys.exit("crowd: gpsd has closed a connection")

    def finish(self):
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()

    def arrivals(self):
        rests = [b""] * CLIENTS
        came = [{} for _ in range(CLIENTS)]
        for number, instant, data in self.pieces:
            *lines, rests[number] = (rests[number] + data).split(b"\n")
            for line in lines:
                if stamped := self.side.stamp(line, instant):
                    came[number].setdefault(*stamped)
        return enumerate(came)


def measure(side, seconds):
    """One run of one side."""
    directory = tempfile.mkdtemp()
    written = os.path.join(directory, "written")
    receiver = Receiver(written)
    end = time.monotonic() + seconds
    feeder = os.fork()
    if feeder == 0:
        receiver.run(end)
        os._exit(0)
    process = side.start(receiver.name, directory, end)
    readings = []
    try:
        while time.monotonic() < end - 1:
            side.read(0.5)
            readings.append(Reading(process.pid))
        side.finish()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
        os.waitpid(feeder, 0)
        os.close(receiver.near)
        os.close(receiver.far)
    found = figures(side.name, list(side.arrivals()), written, readings)
    shutil.rmtree(directory)
    return found


def figures(name, arrivals, written, readings):
    """The figures of one run: latencies of all sequences, updates of each client, CPU time and memory of the daemon."""
    if not all(epochs for _, epochs in arrivals):
        silent = sum(not epochs for _, epochs in arrivals)
        sys.exit(f"crowd: {name}: {silent} of {len(arrivals)} sequences got no position")
    start = max(min(epochs.values()) for _, epochs in arrivals) / 1e9 + SETTLING
    inside = [reading for reading in readings if reading.when >= start]
    if len(inside) < 2:
        sys.exit(f"crowd: {name}: the machine is too busy, the last client came too late")
    first, last = inside[0], inside[-1]
    fed = dict(tuple(map(int, line.split())) for line in open(written))
    window = {e: at for e, at in fed.items() if first.when <= at / 1e9 <= last.when - 0.2}
    latencies, per_client, missing = [], [0] * CLIENTS, 0
    for number, epochs in arrivals:
        got = [(epochs[epoch] - at) / 1e6 for epoch, at in window.items() if epoch in epochs]
        latencies += got
        per_client[number] += len(got)
        missing += len(window) - len(got)
    latencies.sort()
    return {
        "name": name,
        "cpu_ms_per_s": (last.cpu_ns - first.cpu_ns) / 1e6 / (last.when - first.when),
        "median_ms": latencies[len(latencies) // 2],
        "p99_ms": latencies[int(len(latencies) * 0.99)],
        "epochs": len(window),
        "updates_min": min(per_client),
        "updates_max": max(per_client),
        "missing": missing,
        "private_dirty_kb": max(reading.private_dirty_kb for reading in inside),
        "growth_kb": last.private_dirty_kb - first.private_dirty_kb,
        "rss_kb": max(reading.rss_kb for reading in inside),
    }


def main():
    """crowd.py BIN_FOLDER [SECONDS [ROUNDS]]: one line of JSON for each run, the sides in turns."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else ROUNDS
    sides = [BinnacledCrowd(sys.argv[1])]
    if gpsd := shutil.which("gpsd", path=os.environ["PATH"] + ":/usr/sbin"):
        sides.append(GpsdCrowd(gpsd))
    for turn in range(rounds):
        for side in sides if turn % 2 == 0 else reversed(sides):
            print(json.dumps(measure(side, seconds)), flush=True)


if __name__ == "__main__":
    main()
