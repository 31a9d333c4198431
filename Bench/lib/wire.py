"""A client of the daemon for scenarios that speaks the protocol itself, as Docs/SPEC-wire.md describes it."""

import socket
import struct
import sys
import time

PLACE = "/run/binnacle/binnacle.sock"
CONFIGURATIONS = ["default", "automotiveNavigation", "otherNavigation", "fitness", "airborne"]
# See SPEC-wire.md and SPEC-state.md.
ANSWERS = {"whenInUse": (35, b"\x01\x01"), "always": (35, b"\x02\x01"), "denied": (36, b""), "none": (37, b"")}


class Refused(SystemExit):
    """The daemon has refused a client or a message. A script that does not handle it ends with the refusal."""


class Daemon:
    """A connection to the daemon."""

    def __init__(self, is_operator=True):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.connect(PLACE)
        self.number = 0
        self.sent = 0.0
        hello, role = (b"\x35", b"\x01") if is_operator else (b"\x01", b"")
        try:
            self.send(hello + b"BNCL" + struct.pack("<HH", 1, 7) + text("promises") + role)
        except BrokenPipeError:
            # The daemon may refuse a client before it gets the hello. The refusal can still be read.
            pass
        self.wait_for(130 - 1)

    def send(self, message):
        # At most 256 in a second.
        time.sleep(max(0, self.sent + 0.004 - time.monotonic()))
        self.sent = time.monotonic()
        self.socket.send(message)

    def wait_for(self, kind, request=None):
        """The fields of the next message of a kind."""
        while True:
            message = self.socket.recv(65536)
            if not message:
                sys.exit("the daemon has hung up")
            if message[0] == 130:
                raise Refused(f"refused: {message!r}")
            answered = request is None or struct.unpack_from("<I", message, 1)[0] == request
            if message[0] == kind and answered:
                return message[1 if request is None else 5:]

    def ask(self, kind, fields, answer):
        self.number += 1
        self.send(bytes([kind]) + struct.pack("<I", self.number) + fields)
        return self.wait_for(answer, self.number)

    def change(self, kind, fields, answer):
        reply = self.ask(kind, fields, answer)
        if reply[0] != 1:
            sys.exit(f"not kept: {reply!r}")

    def report(self):
        fields = Fields(self.ask(4, b"", 133))
        return {fields.text(): fields.item() for _ in range(fields.take("<H"))}

    def reports(self, count):
        """Requests `count` reports and waits for the answers."""
        first = self.number + 1
        for self.number in range(first, first + count):
            self.send(b"\x04" + struct.pack("<I", self.number))
        for number in range(first, first + count):
            self.wait_for(133, number)

    def services(self, is_on):
        self.change(6, bytes([is_on]), 135)

    def set_default(self, key, value):
        data = b"" if value is None else b"\x03" + value.encode()
        self.change(8, b"\x01" + struct.pack("<H", 1) + text(key) + struct.pack("<H", len(data)) + data, 138)

    def defaults(self):
        values = {}
        fields = Fields(self.ask(7, b"", 136))
        fields.take("<B")
        for _ in range(fields.take("<H")):
            key = fields.text()
            values[key] = fields.text()[1:]
        return values

    def answer(self, app, answer):
        kind, fields = ANSWERS[answer]
        self.change(kind, text(app) + fields, 135)

    def grants(self):
        fields = Fields(self.ask(33, b"", 140))
        fields.take("<B")
        return [{fields.text(): fields.item() for _ in range(fields.take("<H"))} for _ in range(fields.take("<H"))]

    def records(self):
        """The records on the disk, by type and key."""
        self.number += 1
        self.send(b"\x10" + struct.pack("<I", self.number))
        data = b""
        while True:
            fields = Fields(self.wait_for(144, self.number))
            is_last, size = fields.take("<B"), fields.take("<I")
            data += fields.data[fields.place:fields.place + size]
            if is_last:
                break
        records = {}
        while data:
            kind, _, key_size, size, _ = struct.unpack_from("<HBBII", data)
            key, value = data[12:12 + key_size], data[12 + key_size:12 + key_size + size]
            records[kind, key.decode(errors="replace")] = value
            data = data[12 + key_size + size:]
        return records

    def begin(self, sequence, configuration):
        self.send(b"\x02" + struct.pack("<IB", sequence, CONFIGURATIONS.index(configuration)))

    def end(self, sequence):
        self.send(b"\x03" + struct.pack("<I", sequence))


class Fields:
    """What is in a message, one field after another."""

    def __init__(self, data):
        self.data = data
        self.place = 0

    def take(self, form):
        value, = struct.unpack_from(form, self.data, self.place)
        self.place += struct.calcsize(form)
        return value

    def text(self):
        size = self.take("<H")
        self.place += size
        return self.data[self.place - size:self.place].decode()

    def item(self):
        kind = self.take("<B")
        return self.text() if kind == 0 else self.take({1: "<q", 2: "<d", 3: "<?"}[kind])


def text(words):
    return struct.pack("<H", len(words.encode())) + words.encode()
