"""Reads the writes of a disk that QEMU has recorded, in the format of dm-log-writes."""

import struct
from dataclasses import dataclass
from pathlib import Path

from disk import SECTOR

FLUSH, FUA, DISCARD = 1, 2, 4


@dataclass
class Write:
    sector: int
    count: int
    place: int  # in the recording


class Recording:
    """Writes in their order; a flush is None."""

    def __init__(self, path: Path) -> None:
        self.file = open(path, "rb")
        magic, version, _, size = struct.unpack("<QQQI", self.file.read(28))
        if magic != 0x6A736677736872 or version != 1 or size != SECTOR:
            raise ValueError(f"{path} is no recording")
        self.steps: list[Write | None] = []
        self.place = SECTOR
        self.read_on()

    def read_on(self) -> None:
        """Reads what has been added to the file."""
        end = self.file.seek(0, 2)
        while self.place + SECTOR <= end:
            self.file.seek(self.place)
            sector, sectors, flags, _ = struct.unpack("<QQQQ", self.file.read(32))
            # A discarded sector may be old or zero, but it is not used; the image discards nothing.
            written = 0 if flags & DISCARD else sectors
            is_whole = self.place + (1 + written) * SECTOR <= end
            if not is_whole or not (sectors or flags):
                return
            self.place += SECTOR
            if flags & FLUSH:
                self.steps.append(None)
            if written:
                self.steps.append(Write(sector, sectors, self.place))
                self.place += sectors * SECTOR
                if flags & FUA:
                    self.steps.append(None)

    def data(self, write: Write) -> bytes:
        self.file.seek(write.place)
        return self.file.read(write.count * SECTOR)
