"""A receiver for measurements: it writes its epochs in bursts of 8 bytes at the exact pace of a line at 115,200 baud."""

import os
import time
import tty

BAUD = 115_200
BURST = 8
RATE = 10


def ubx(kind, number, payload):
    body = bytes([kind, number]) + len(payload).to_bytes(2, "little") + payload
    first = second = 0
    for byte in body:
        first = (first + byte) & 0xFF
        second = (second + first) & 0xFF
    return b"\xb5\x62" + body + bytes([first, second])


def nav_pvt(epoch_ms):
    """A good 3D fix at a moment given in milliseconds since 1970, at a tenth of a second."""
    moment = time.gmtime(epoch_ms // 1000)
    payload = bytearray(92)

    def put(offset, size, value):
        payload[offset : offset + size] = value.to_bytes(size, "little", signed=value < 0)

    itow = (epoch_ms - 315_964_800_000 + 18_000) % 604_800_000
    put(0, 4, itow)
    put(4, 2, moment.tm_year)
    for offset, value in enumerate(moment[1:6]):
        put(6 + offset, 1, value)
    put(11, 1, 0x37)  # date and time valid, fully resolved
    put(12, 4, 20)
    put(16, 4, epoch_ms % 1000 * 1_000_000)
    put(20, 1, 3)
    put(21, 1, 0x01)  # gnssFixOK
    put(22, 1, 0xEA)
    put(23, 1, 14)
    put(24, 4, 85_449_600)
    put(28, 4, 473_990_000 + itow // 100 % 100)
    put(32, 4, 450_000)
    put(36, 4, 402_000)
    put(40, 4, 1_200)
    put(44, 4, 1_900)
    put(48, 4, 1_000)
    put(60, 4, 1_000)
    put(68, 4, 120)
    put(72, 4, 500_000)
    put(76, 2, 120)
    return ubx(0x01, 0x07, bytes(payload))


class Receiver:
    """A pseudo-terminal with an M10 behind it that acknowledges every order and sends NAV-PVT only."""

    VALUE_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8}

    def __init__(self, path):
        self.near, far = os.openpty()
        tty.setraw(self.near)
        tty.setraw(far)
        self.name = os.ttyname(far)
        self.far = far  # kept open, so that the line does not hang up between two openings
        self.log = open(path, "w")
        self.values = {}
        self.heard = bytearray()
        os.set_blocking(self.near, False)

    def run(self, until):
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
        except PermissionError:
            pass
        per_burst = BURST * 10 / BAUD
        answers = b""
        start = time.monotonic() + 0.05
        epoch = 0
        while time.monotonic() < until:
            due = start + epoch / RATE
            epoch += 1
            time.sleep(max(0, due - time.monotonic()))
            epoch_ms = round(time.time() * RATE) * 1000 // RATE
            pending = nav_pvt(epoch_ms)
            end_of_pvt = len(pending)
            pending += answers
            moment = due
            for offset in range(0, len(pending), BURST):
                moment += per_burst
                time.sleep(max(0, moment - time.monotonic()))
                piece = pending[offset : offset + BURST]
                if offset < end_of_pvt <= offset + len(piece):
                    self.log.write(f"{epoch_ms} {time.monotonic_ns()}\n")
                try:
                    os.write(self.near, piece)
                except BlockingIOError:
                    pass  # the far end is not read
            answers = self.answers()
        self.log.close()

    def answers(self):
        try:
            self.heard += os.read(self.near, 4096)
        except BlockingIOError:
            pass
        said = b""
        while True:
            start = self.heard.find(b"\xb5\x62")
            if start < 0 or len(self.heard) < start + 8:
                return said
            length = int.from_bytes(self.heard[start + 4 : start + 6], "little")
            if len(self.heard) < start + 8 + length:
                return said
            kind, number = self.heard[start + 2], self.heard[start + 3]
            payload = bytes(self.heard[start + 6 : start + 6 + length])
            del self.heard[: start + 8 + length]
            said += self.answer(kind, number, payload)

    def answer(self, kind, number, payload):
        if (kind, number) == (0x0A, 0x04):
            texts = ["FWVER=SPG 5.10", "PROTVER=34.10", "MOD=MAX-M10S"]
            version = b"ROM SPG 5.10 (7b202e)".ljust(30, b"\0") + b"000A0000".ljust(10, b"\0")
            return ubx(kind, number, version + b"".join(t.encode().ljust(30, b"\0") for t in texts))
        if (kind, number) == (0x27, 0x03):
            return ubx(kind, number, b"\x02\0\0\0" + b"M10SIM")
        if kind != 0x06:
            return b""
        if number == 0x8A:
            self.store(payload[4:])
        acknowledged = ubx(0x05, 0x01, bytes([kind, number]))
        if number == 0x8B:
            keys = [payload[i : i + 4] for i in range(4, len(payload), 4)]
            zeros = {key: b"\0" * self.VALUE_SIZES.get(key[3] >> 4 & 7, 1) for key in keys}
            body = b"".join(key + self.values.get(key, zeros[key]) for key in keys)
            return ubx(kind, number, b"\x01" + payload[1:4] + body) + acknowledged
        return acknowledged

    def store(self, items):
        while len(items) >= 5:
            size = self.VALUE_SIZES.get(items[3] >> 4 & 7)
            if size is None:
                return
            self.values[items[:4]] = items[4 : 4 + size]
            items = items[4 + size :]
