#!/usr/bin/env python3
"""Makes durable changes of 64 bytes the ways that others do, for Bench/measures/state-cost-*.sh.

alternatives.py rename|sqlite|lmdb FOLDER COUNT SECONDS
"""

import os
import sqlite3
import sys
import time


def rename(folder):
    """Write beside, flush, rename, flush the directory."""
    directory = os.open(folder, os.O_RDONLY)

    def change(value):
        with open(folder + "/state.new", "wb") as file:
            file.write(value)
            file.flush()
            os.fsync(file.fileno())
        os.rename(folder + "/state.new", folder + "/state")
        os.fsync(directory)

    return change


def sqlite(folder):
    """Write-ahead log, every commit flushed."""
    database = sqlite3.connect(folder + "/state.db", isolation_level=None)
    database.execute("pragma journal_mode=wal")
    database.execute("pragma synchronous=full")
    database.execute("create table state(key integer primary key, value blob)")

    def change(value):
        database.execute("insert or replace into state values(1, ?)", (value,))

    return change


def lmdb(folder):
    import lmdb

    environment = lmdb.open(folder, map_size=1 << 20)

    def change(value):
        with environment.begin(write=True) as transaction:
            transaction.put(b"state", value)

    return change


method, folder, count, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
os.makedirs(folder)
change = {"rename": rename, "sqlite": sqlite, "lmdb": lmdb}[method](folder)
for number in range(count):
    change(number.to_bytes(8, "little") * 8)
    if seconds:
        time.sleep(seconds)
