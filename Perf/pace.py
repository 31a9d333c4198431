"""Measures the pace of the machine alone: how much CPU time one fixed piece of work takes.

CPU time does not grow while the piece waits for a processor. It grows when the host of a virtual machine gives the
processor to others, when the processor's speed falls, or when neighbors use its caches.
"""

import time

SECONDS = 10.0
PERIOD = 0.05
ADDITIONS = 25_000


def piece():
    """The CPU time of one piece, in nanoseconds."""
    began = time.thread_time_ns()
    sum(range(ADDITIONS))
    return time.thread_time_ns() - began


def slowdown():
    """The median piece and the slowest hundredth, each divided by the fastest hundredth."""
    times = []
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        times.append(piece())
        time.sleep(PERIOD)
    times.sort()
    hundredth = len(times) // 100
    return times[len(times) // 2] / times[hundredth], times[-1 - hundredth] / times[hundredth]
