#!/usr/bin/env python3
"""Tries updates on a disk that is a file, with the scripts of the image: check-update.py

Good bundles, forged ones, trials that end well and badly. Each case names a change of the scripts that it has to find: the case runs a
second time with this change, and has to fail.
"""

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import file_board
from cases import expect, run_cases
from file_board import FileBoard, app, root_bytes, system_text

HERE = Path(__file__).parent
spec = importlib.util.spec_from_file_location("make_update", HERE / "make-update.py")
assert spec and spec.loader
make_update = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make_update)

UPDATE = "sbin/binnacle-update"
TRIAL = "lib/binnacle-image/trial"
HEALTH = "lib/binnacle-image/health"
ROUTE = app("org.example.route")


class Bench:
    """Keys, bundles and boards of one case."""

    def __init__(self, work: Path, scripts: dict[str, str]) -> None:
        self.work, self.scripts = work, scripts
        for name in ("owner", "stranger"):
            command = [str(HERE / "files/usr" / UPDATE), "--make-key", str(work / name)]
            subprocess.run(command, input=b"\n\n", capture_output=True, check=True)

    def board(self, key: str | None = "owner") -> FileBoard:
        public = (self.work / key / "update-key.pub").read_text().strip() if key else None
        return FileBoard(self.work / "board", public, self.scripts)

    def bundle(self, version: str = "2", key: str = "owner", **words) -> bytes:
        file = self.work / "bundle"
        make_update.write_bundle(root_bytes(version), system_text(version, **words), self.work / key / "update-key", file)
        return file.read_bytes()

    def updated(self, version: str = "2") -> FileBoard:
        board = self.board()
        put(board, self.bundle(version))
        return board


def put(board: FileBoard, bundle: bytes) -> None:
    """An update that has to succeed up to the restart."""
    ended = board.run("binnacle-update", "-", given=bundle)
    expect(ended.returncode == 0 and (board.work / "run/reboot").exists(), ended.stderr.decode())


def refused(board: FileBoard, bundle: bytes, status: int, sentence: str, untouched: bool = True) -> None:
    before, disk = board.slot, board.disk.read_bytes()
    file = board.work / "data/bundle"
    file.write_bytes(bundle)
    ended = board.run("binnacle-update", "/data/bundle")
    said = ended.stderr.decode()
    expect(ended.returncode == status and sentence in said, f"status {ended.returncode}, said: {said}")
    expect(not untouched or board.disk.read_bytes() == disk, "the disk was written")
    expect(board.start() == before and board.content(board.slot) == root_bytes("1"), "the board does not start the old system")


def with_byte(bundle: bytes, place: int) -> bytes:
    return bundle[:place] + bytes([bundle[place] ^ 1]) + bundle[place + 1:]


def part_place(bundle: bytes) -> int:
    """A byte inside of the second part, behind list and signature."""
    words = bundle.split(b"\n", 1)[0].split()
    lines = [line for line in bundle.split(b"\n") if line.startswith(b"part=")]
    return len(bundle.split(b"\n", 1)[0]) + 1 + int(words[2]) + int(words[3]) + int(lines[0].split()[1]) + 20


# Bundles.

def a_signed_bundle_is_kept_and_the_next_goes_to_the_other_slot(bench: Bench) -> None:
    board = bench.updated()
    expect(board.content("B") == root_bytes("2") and board.content("A") == root_bytes("1"), "slot B has not the new system")
    expect(board.start() == "B" and board.run_trial() == "kept", "the trial of slot B")
    expect(320 <= board.uptime() <= 330, f"kept after {board.uptime()} s")
    expect(board.start() == "B" and "last update: 2 was kept" in board.status(), board.status())
    expect("slot B: 2, running, good" in board.status() and board.run_trial() == "no trial", board.status())
    put(board, bench.bundle("3"))
    expect(board.start() == "A" and board.content("A") == root_bytes("3") and board.run_trial() == "kept", "the second update")


def a_bundle_of_another_key_is_refused(bench: Bench) -> None:
    refused(bench.board(), bench.bundle(key="stranger"), 77, "not of this board's update key")


def a_changed_list_is_refused(bench: Bench) -> None:
    refused(bench.board(), bench.bundle().replace(b"version=2", b"version=9"), 77, "not of this board's update key")


def an_unsigned_bundle_is_refused(bench: Bench) -> None:
    bundle = bench.bundle()
    words = bundle.split(b"\n", 1)[0].split()
    head = b" ".join([*words[:3], b"0"]) + b"\n"
    start = len(bundle.split(b"\n", 1)[0]) + 1
    signature = start + int(words[2])
    refused(bench.board(), head + bundle[start:signature] + bundle[signature + int(words[3]):], 77, "not of this board's update key")


def a_board_without_a_key_refuses(bench: Bench) -> None:
    refused(bench.board(key=None), bench.bundle(), 77, "has no key for updates")


def a_changed_part_is_not_written(bench: Bench) -> None:
    bundle = bench.bundle()
    board = bench.board()
    refused(board, with_byte(bundle, part_place(bundle)), 65, "is damaged", untouched=False)
    second = 4 * file_board.MIB
    expect(board.content("B")[second:] == root_bytes("1")[second:], "the changed part was written")


def a_bundle_that_is_cut_off_is_not_tried(bench: Bench) -> None:
    bundle = bench.bundle()
    refused(bench.board(), bundle[:part_place(bundle)], 65, "is damaged or cut off", untouched=False)


def a_bundle_of_another_board_is_refused(bench: Bench) -> None:
    refused(bench.board(), bench.bundle(board="raspberry-pi-4"), 65, "is for the board raspberry-pi-4, and this is qemu-virt")


def a_bundle_for_larger_slots_is_refused(bench: Bench) -> None:
    refused(bench.board(), bench.bundle(size=16), 65, "needs slots of 16 MiB")


def a_system_that_does_not_read_the_state_is_refused(bench: Bench) -> None:
    board = bench.board()
    board.set_state(bytes(512) + file_board.STATE[:4] + b"\2" + file_board.STATE[5:])
    refused(board, bench.bundle(), 65, "does not read this board's state, which has format 2")


def a_file_that_is_no_bundle_is_refused(bench: Bench) -> None:
    refused(bench.board(), b"PK\3\4 and so on\n" * 100, 65, "is no bundle")


def nothing_is_written_to_the_good_slot_during_a_trial(bench: Bench) -> None:
    board = bench.updated()
    board.start()
    ended = board.run("binnacle-update", "-", given=bench.bundle("3"))
    expect(ended.returncode == 75 and "on trial" in ended.stderr.decode(), ended.stderr.decode())
    expect(board.content("A") == root_bytes("1") and board.start() == "A", "the good slot was written")


def a_slot_that_waits_for_its_trial_is_not_tried_half_written(bench: Bench) -> None:
    board = bench.updated()
    bundle = bench.bundle("3")
    ended = board.run("binnacle-update", "-", given=with_byte(bundle, part_place(bundle)))
    expect(ended.returncode == 65 and board.start() == "A", "a mixture of two systems is tried")


# Trials.

def returns(board: FileBoard, reason: str) -> None:
    """The trial of slot B fails, and the status says the reason."""
    expect(board.start() == "B", "slot B is not tried")
    ended = board.run_trial()
    expect(ended == "restarts", f"the trial: {ended}")
    expect(600 <= board.uptime() <= 610, f"it restarts after {board.uptime()} s")
    expect(board.start() == "A" and "2 was not kept" in board.status() and reason in board.status(), board.status())
    expect(board.run_trial() == "no trial" and board.start() == "A", "the old system does not stay")


def a_system_without_its_daemon_is_left(bench: Bench) -> None:
    board = bench.updated()
    board.end_daemon()
    returns(board, "daemon, receiver, location, app org.example.route")


def a_system_without_an_app_of_before_is_left(bench: Bench) -> None:
    board = bench.updated()
    board.answer(app("org.example.route", process=None))
    returns(board, ": app org.example.route")


def a_system_without_the_receiver_is_left(bench: Bench) -> None:
    board = bench.updated()
    board.answer(ROUTE, receiver="waiting for the device", trouble="no such device")
    returns(board, ": receiver")


def a_system_without_locations_is_left(bench: Bench) -> None:
    board = bench.updated()
    board.answer(ROUTE, age=900)
    returns(board, ": location")


def a_daemon_that_starts_again_and_again_is_left(bench: Bench) -> None:
    board = bench.updated()
    for number in range(10):
        board.at(60 + 100 * number, ROUTE, process=600 + number)
    returns(board, "the daemon has started again")


def an_app_that_is_late_starts_the_time_again(bench: Bench) -> None:
    board = bench.updated()
    board.answer(app("org.example.route", process=None))
    board.at(200, ROUTE)
    expect(board.start() == "B" and board.run_trial() == "kept" and 490 <= board.uptime() <= 510, f"after {board.uptime()} s")


def faults_of_before_do_not_count(bench: Bench) -> None:
    board = bench.board()
    board.answer(app("org.example.closed", process=None), app("1000:/usr/bin/watch", managed=False), receiver="searching", age=900)
    put(board, bench.bundle())
    board.answer(receiver="searching", age=900)
    expect(board.start() == "B" and board.run_trial() == "kept", board.status())


def a_trial_that_ends_by_a_power_cut_is_not_repeated(bench: Bench) -> None:
    board = bench.updated()
    expect(board.start() == "B" and board.start() == "A" and board.start() == "A", "the trial is repeated")
    expect("no reason is known" in board.status(), board.status())


def a_trial_without_the_data_partition_is_left(bench: Bench) -> None:
    board = bench.updated()
    board.start()
    (board.work / "data/update/trial").unlink()
    board.end_daemon()
    expect(board.run_trial() == "restarts" and board.start() == "A", "the system is kept")


Case = Callable[[Bench], None]
# Each case with a change of a script that it has to find: file, old text, new text.
CASES: list[tuple[Case, str, str, str]] = [
    (a_signed_bundle_is_kept_and_the_next_goes_to_the_other_slot, TRIAL, 'keep "$slot"', "forget"),
    (a_bundle_of_another_key_is_refused, UPDATE, "-Y verify", "-Y check-novalidate"),
    (a_changed_list_is_refused, UPDATE, '2>&1 ||\n    fail 77', '2>&1 ||\n    echo'),
    (an_unsigned_bundle_is_refused, UPDATE, '2>&1 ||\n    fail 77', '2>&1 ||\n    echo'),
    (a_board_without_a_key_refuses, UPDATE, "[ -s \"$updates/keys\" ] ||\n    fail 77", "[ -s \"$updates/keys\" ] ||\n    exit"),
    (a_changed_part_is_not_written, UPDATE, "sha256sum --check --status ||", "cat >/dev/null ||"),
    (a_bundle_that_is_cut_off_is_not_tried, UPDATE, "is damaged or cut off; slot", "is something; slot"),
    (a_bundle_of_another_board_is_refused, UPDATE, '"$work/manifest")" = "$board"', '"$work/manifest")" != none'),
    (a_bundle_for_larger_slots_is_refused, UPDATE, '"$(value slot-size "$work/manifest")" =', '-n'),
    (a_system_that_does_not_read_the_state_is_refused, UPDATE, "for format in $(state_formats)", "for format in"),
    (a_file_that_is_no_bundle_is_refused, UPDATE, '[ "$magic" = binnacle-update ]', 'true'),
    (nothing_is_written_to_the_good_slot_during_a_trial, UPDATE, '[ "$slot" = "$(choice good)" ] || fail', "true || fail"),
    (a_slot_that_waits_for_its_trial_is_not_tried_half_written, UPDATE, '"$lib/slot-choice" "$disk" forget', "true"),
    (a_system_without_its_daemon_is_left, TRIAL, 'lost=${now_missing', 'exit; lost=${now_missing'),
    (a_system_without_an_app_of_before_is_left, HEALTH, """grep '"process_ids":\\[[0-9]'""", "cat"),
    (a_system_without_the_receiver_is_left, HEALTH, "  echo receiver\nfi", "  :\nfi\necho receiver"),
    (a_system_without_locations_is_left, HEALTH, '[ "${age:-60}" -ge 60 ] ||', ""),
    (a_daemon_that_starts_again_and_again_is_left, TRIAL, '|| [ "$now_process" != "$process" ]', ""),
    (an_app_that_is_late_starts_the_time_again, TRIAL, "    since=$(uptime_seconds)\n    process", "    process"),
    (faults_of_before_do_not_count, HEALTH, """ | grep '"managed":true'""", ""),
    (a_trial_that_ends_by_a_power_cut_is_not_repeated, UPDATE, '"$lib/slot-choice" "$disk" try', '"$lib/slot-choice" "$disk" keep'),
    (a_trial_without_the_data_partition_is_left, TRIAL, "[ -s /run/binnacle-before ] ||", "true ||"),
]


if __name__ == "__main__":
    sys.exit(run_cases("check-update", CASES, Bench))
