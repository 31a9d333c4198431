#!/usr/bin/env python3
"""Many clients of the daemon in one process.

crowd.py hold COUNT          connects COUNT clients, or as many as the daemon admits; prints their number and the refusal; the process
                             then keeps the connections
crowd.py ask COUNT SECONDS   COUNT operators request reports without a pause; prints the number of reports and the number of
                             operators that were served until the end
crowd.py flood SECONDS       connects clients without a pause, most of which greet, request or say nonsense before they hang up;
                             prints their number
crowd.py loop                connects and hangs up without a pause, until the process is killed
"""

import os
import socket
import struct
import sys
import threading
import time

from wire import PLACE, Daemon, Refused, text

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
    reports, served = [], []

    def storm():
        client = Daemon()
        while time.monotonic() < end:
            client.reports(AT_ONCE)
            reports.append(AT_ONCE)
        served.append(client)

    storms = [threading.Thread(target=storm) for _ in range(count)]
    for thread in storms:
        thread.start()
    for thread in storms:
        thread.join()
    print(sum(reports), len(served), flush=True)


def flood(seconds):
    end = time.monotonic() + seconds
    hello = b"\x35BNCL" + struct.pack("<HH", 1, 7) + text("flood") + b"\x01"
    requests = [b"\x04" + struct.pack("<I", number) for number in range(1, 33)]
    openings = [b"\x02" + struct.pack("<IB", number, 0) for number in range(1, 33)]
    kinds = [[], [hello], [hello, *requests], [hello, *openings], [hello, b"\x06"], [os.urandom(4096)]]
    clients = []
    count = 0
    while time.monotonic() < end:
        client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        client.setblocking(False)
        try:
            client.connect(PLACE)
            for message in kinds[count % len(kinds)]:
                client.send(message)
            count += 1
        except OSError:
            # The daemon has refused the client, or has not yet accepted the clients before it.
            time.sleep(0.001)
        clients.append(client)
        if len(clients) > 40:
            clients.pop(0).close()
    print(count, flush=True)


def loop():
    while True:
        client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        client.setblocking(False)
        try:
            client.connect(PLACE)
        except BlockingIOError:
            # The queue of connections is full.
            pass
        client.close()


if sys.argv[1] == "hold":
    hold(int(sys.argv[2]))
elif sys.argv[1] == "loop":
    loop()
elif sys.argv[1] == "flood":
    flood(float(sys.argv[2]))
else:
    ask(int(sys.argv[2]), float(sys.argv[3]))
