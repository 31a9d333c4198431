#!/usr/bin/env python3
"""Many clients of the daemon in one process.

crowd.py hold COUNT          connects COUNT clients, or fewer if the daemon refuses one; prints their number and the refusal, and
                             keeps them connected until it is ended
crowd.py ask COUNT SECONDS   COUNT operators request reports without a pause; prints the number of reports
"""

import sys
import threading
import time

from wire import Daemon, Refused

# See SPEC-wire.md: 64 waiting answers end a connection.
AT_ONCE = 8


def hold(count):
    clients = []
    refusal = "none"
    try:
        while len(clients) < count:
            clients.append(Daemon(is_operator=False))
    except Refused as refused:
        refusal = refused
    print(len(clients), refusal, flush=True)
    threading.Event().wait()


def ask(count, seconds):
    end = time.monotonic() + seconds
    reports = []

    def storm():
        client = Daemon()
        while time.monotonic() < end:
            reports.append(client.reports(AT_ONCE))

    storms = [threading.Thread(target=storm) for _ in range(count)]
    for thread in storms:
        thread.start()
    for thread in storms:
        thread.join()
    print(sum(reports), flush=True)


if sys.argv[1] == "hold":
    hold(int(sys.argv[2]))
else:
    ask(int(sys.argv[2]), float(sys.argv[3]))
