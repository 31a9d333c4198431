#!/usr/bin/python3
"""Kills an app again and again, and measures the time until its next process gets its first location.

relaunch.py KILLS LIMIT_MS     prints a table; status 1 if the 95th percentile of the whole time is above the limit

The app is org.example.tracker with a background session, in the background. The times come from outputs that exist anyway: the
launcher removes the control group of an app that has ended, and makes one for a launch; the app's script notes its time as its first
action; the daemon logs the connection; the app prints the time of each update. Control group and log are read each 2 ms.
"""

import os
import random
import re
import signal
import subprocess
import sys
import threading
import time

APP = "org.example.tracker"
SAID = "/run/said"
GROUP = f"/sys/fs/cgroup/binnacle-launch/app-{APP}"
# The daemon launches an app at most five times in ten minutes; a start by a person begins the count anew.
KILLS_IN_ROW = 4
PARTS = ["detect", "next location", "exec", "connect", "first update"]


class Watch:
    """The lines of the daemon's log and the states of the control group, with the times at which they were seen."""

    def __init__(self):
        self.lines = []
        self.groups = []
        self.file = open(f"{SAID}/daemon")
        self.file.seek(0, os.SEEK_END)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            now = time.monotonic_ns()
            self.lines += [(now, line) for line in self.file.readlines()]
            try:
                group = os.stat(GROUP).st_ino
            except FileNotFoundError:
                group = None
            if not self.groups or self.groups[-1][1] != group:
                self.groups.append((now, group))
            time.sleep(0.002)

    def connected(self, start):
        """When a process of the app has connected."""
        return next((when for when, line in self.lines if when >= start and f"connected as app {APP}" in line), None)

    def ended(self, start):
        """When the launcher has noticed the end of the app."""
        return next((when for when, group in self.groups if when >= start), None)

    def launched(self, start):
        """When the launcher has begun to launch the app."""
        return next((when for when, group in self.groups if when >= start and group), None)


def launches():
    """When the app's script has run, by the monotonic clock."""
    offset = time.time_ns() - time.monotonic_ns()
    return [int(float(line) * 1e9) - offset for line in open(f"{SAID}/tracker.times").read().split()]


def locations(start):
    """When the app has received locations since a time."""
    times = re.findall(r'"latitude".*?"received_monotonic_ns":(\d+)', open(f"{SAID}/tracker").read())
    return [int(when) for when in times if int(when) >= start]


def wait_for(text, condition, seconds=40):
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            sys.exit(f"not within {seconds} s: {text}")
        time.sleep(0.05)


def binnacle(*words):
    subprocess.run(["binnacle", *words], check=True, stdout=subprocess.DEVNULL)


def begin_anew():
    """A person closes the app, starts it and sends it to the background."""
    binnacle("quit", APP)
    start = time.monotonic_ns()
    binnacle("start", APP)
    wait_for("a location in the foreground", lambda: locations(start))
    binnacle("home")


def kill(watch):
    """The parts of the time from a kill to the first location of the next process, in milliseconds."""
    start = time.monotonic_ns()
    os.kill(int(open(f"{GROUP}/cgroup.procs").readline()), signal.SIGKILL)
    first = wait_for("a location after the kill", lambda: locations(start))[0]
    time.sleep(0.1)
    marks = [
        start,
        watch.ended(start),
        watch.launched(start),
        next((when for when in launches() if when >= start), None),
        watch.connected(start),
        first,
    ]
    if None in marks:
        sys.exit(f"a time is missing: {marks}")
    return [(later - earlier) / 1e6 for earlier, later in zip(marks, marks[1:])]


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share + 0.999999) - 1)]


def main():
    count, limit = int(sys.argv[1]), float(sys.argv[2])
    watch = Watch()
    rows = []
    for number in range(count):
        if number % KILLS_IN_ROW == 0:
            begin_anew()
        # The receiver reports once a second, so the kill is at any part of a second.
        time.sleep(2 + random.random())
        rows.append(kill(watch))
    print(f"{count} kills; milliseconds      median      p95      max")
    for name, values in [*zip(PARTS, zip(*rows)), ("kill to first update", [sum(row) for row in rows])]:
        print(f"{name:<26} {percentile(values, 0.5):9.0f} {percentile(values, 0.95):9.0f} {max(values):9.0f}")
    worst = percentile([sum(row) for row in rows], 0.95)
    print(f"p95 {worst:.0f} ms, at most {limit:.0f} ms: {'met' if worst <= limit else 'missed'}")
    return 0 if worst <= limit else 1


if __name__ == "__main__":
    sys.exit(main())
