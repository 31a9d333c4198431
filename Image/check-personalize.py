#!/usr/bin/env python3
"""Tries secrets in binnacle.txt with the script of the image and the real command line: check-personalize.py BINNACLE

The script runs in a namespace, where the boot partition is mounted read-only, as on a board. Each case names a change of the script
that it has to find: the case runs a second time with this change, and has to fail.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from cases import SCRIPTS, Case, expect, run_cases

HERE = Path(__file__).parent
SCRIPT = "lib/binnacle-image/personalize"
KEEP_LOG = "lib/binnacle-image/keep-log"
# Of the journal, as sd-daemon(3) numbers them. A line without a priority is "info".
PRIORITIES = ["emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"]
PIN = "483920"

# The board has wpa_passphrase from Debian. Its command line notes what every user may read while it gets the PIN.
PROGRAMS = {
    "wpa_passphrase": "read -r password; printf '\\tpsk=%s\\n' \"$(printf '%s' \"$1$password\" | sha256sum | cut -c 1-64)\"",
    "binnacle": "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' >/run/command-lines\nexec /run/binnacle \"$@\"",
}
ENTER = """set -e; root=$1; work=$2; layers=$3; binnacle=$4; shift 4
for folder in bin sbin lib lib64 etc/alternatives; do
  [ ! -e /$folder ] || { mkdir -p $root/$folder; mount --rbind /$folder $root/$folder; }
done
mkdir -p $root/usr $root/proc $root/dev $root/run $root/data $root/tmp $root/boot/firmware $root/etc/binnacle
mount -t overlay overlay -o lowerdir=$layers:/usr $root/usr
mount -t overlay overlay -o ro,lowerdir=$work/below,upperdir=$work/boot,workdir=$work/overlay $root/boot/firmware
mount --rbind /proc $root/proc; mount --bind $work/run $root/run; mount --bind $work/data $root/data
mount --bind $work/data/settings $root/etc/binnacle
# The Swift runtime of a toolchain outside of /usr.
for folder in $(ldd $binnacle | sed -n 's|.*=> \\(/.*\\)/[^/]* (.*|\\1|p' | sort -u); do
  case $folder in /usr/* | /lib*) ;; *) mkdir -p $root$folder; mount --rbind $folder $root$folder ;; esac
done
echo root:x:0:0::/:/bin/sh >$root/etc/passwd
: >$root/run/binnacle; mount --bind $binnacle $root/run/binnacle
for device in null zero urandom; do : >$root/dev/$device; mount --bind /dev/$device $root/dev/$device; done
exec chroot $root env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -c '
  /usr/lib/binnacle-image/personalize /boot/firmware/binnacle.txt || exit
  ! touch /boot/firmware/other 2>/dev/null'
"""


class Board:
    """A board that has never been started. `scripts` may replace files of the image."""

    def __init__(self, work: Path, scripts: dict[str, str]) -> None:
        self.work = work
        self.scripts = scripts
        for folder in ("root", "run", "data/settings", "data/ssh", "data/wifi", "layer/bin", "below", "boot", "overlay"):
            (work / folder).mkdir(parents=True)
        programs = {f"bin/{name}": f"#!/bin/sh\n{text}\n" for name, text in PROGRAMS.items()}
        for path, text in {**programs, **scripts}.items():
            target = work / "layer" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
            target.chmod(0o755)
        self.file = work / "boot/binnacle.txt"
        self.pin = work / "data/settings/console-pin"

    def start(self, text: str | None = None) -> str:
        """Starts the board with this text on its boot partition; returns what the log has."""
        if text is not None:
            self.file.write_bytes(text.encode())
        ended = subprocess.run(
            ["unshare", "--user", "--map-root-user", "--mount", "--uts", "bash", "-c", ENTER, "enter", str(self.work / "root"), str(self.work),
             f"{self.work}/layer:{SCRIPTS}", str(Path(sys.argv[1]).resolve())], capture_output=True, text=True, check=False)
        expect(ended.returncode == 0, f"status {ended.returncode}, or the boot partition is writable: {ended.stderr}")
        return ended.stdout + ended.stderr

    def kept(self, log: str) -> list[str]:
        """Returns the lines that keep-log takes from the journal, by the priorities in front of them."""
        text = self.scripts.get(KEEP_LOG) or (SCRIPTS / KEEP_LOG).read_text()
        name = re.search(r"--priority=(\w+)", text)
        least = PRIORITIES.index(name[1]) if name else len(PRIORITIES)
        lines = [re.fullmatch(r"(?:<(\d)>)?(.*)", line) for line in log.splitlines()]
        return [line[2] for line in lines if line and int(line[1] or PRIORITIES.index("info")) <= least]

    def has_pin(self, pin: str) -> bool:
        """Whether the file for the daemon has the hash of the PIN, as crypt(3) of the C library computes it."""
        if not self.pin.exists():
            return False
        expect(self.pin.stat().st_mode & 0o777 == 0o600, "other users may read the hash")
        ended = subprocess.run(["perl", "-e", "chomp(my ($pin, $hash) = <STDIN>); exit(crypt($pin, $hash) ne $hash)"],
                               input=f"{pin}\n{self.pin.read_text()}", text=True, check=False)
        return ended.returncode == 0

    def text(self) -> str:
        return self.file.read_bytes().decode()


def a_pin_is_hashed_and_hidden(board: Board) -> None:
    text = (HERE / "binnacle.txt").read_text().replace("#console-pin=", f"console-pin={PIN}")
    log = board.start(text)
    expect(board.has_pin(PIN) and not board.has_pin("483921"), f"the hash is not that of the PIN: {log}")
    expect(board.text() == text.replace(PIN, "******"), "binnacle.txt is otherwise than with asterisks: " + board.text())


def a_pin_is_in_no_log_and_on_no_command_line(board: Board) -> None:
    log = board.start(f"console-pin={PIN}\n")
    lines = (board.work / "run/command-lines").read_text(errors="replace")
    expect("--set-pin" in lines and PIN not in lines and PIN not in log, "the PIN can be read")
    left = [str(path) for path in (board.work / "data").rglob("*") if path.is_file() and PIN in path.read_text(errors="replace")]
    expect(not left, f"the PIN is in {left}")


def a_pin_is_taken_once(board: Board) -> None:
    board.start(f"console-pin={PIN}\r\n")
    hash_of_first = board.pin.read_text()
    log = board.start()
    expect(log == "" and board.pin.read_text() == hash_of_first and board.text() == "console-pin=******\r\n", f"changed: {log}")


def a_line_without_a_value_changes_nothing(board: Board) -> None:
    board.start(f"console-pin={PIN}\n")
    for text in ("console-pin=\n", "console-pin= \t\r\n", "# console-pin=1\n", "name=\n"):
        log = board.start(text)
        expect(log == "" and board.has_pin(PIN) and board.text() == text, f"{text!r}: {log}")


def a_new_pin_replaces_the_old_one(board: Board) -> None:
    board.start(f"console-pin={PIN}\n")
    board.start("console-pin=a Long*pin".replace(" ", "-"))
    expect(board.has_pin("a-Long*pin"), "the second PIN is not set")


def a_wrong_pin_leaves_the_board_without_one(board: Board) -> None:
    board.start(f"console-pin={PIN}\n")
    for wrong, reason in {"48392": "6 to 64 characters", "7391" * 17: "6 to 64 characters", "48 3920": "without blanks",
                          "48392é": "of ASCII", "777777": "three different"}.items():
        log = board.start(f"console-pin={wrong}\n")
        expect("console-pin= is not taken" in log and reason in log and wrong not in log, f"{wrong}: the log has: {log}")
        expect(not board.pin.exists(), f"{wrong}: there is a PIN")
        expect(board.text() == f"console-pin={'*' * len(wrong.encode())}\n", f"{wrong} is still there: {board.text()}")


def the_reason_is_told_before_any_pin_is_set(board: Board) -> None:
    log = board.start("console-pin=12345\n")
    expect("no PIN unlocks a console" in log and not board.pin.exists(), log)


def a_last_line_without_an_end_is_hidden(board: Board) -> None:
    board.start(f"name=\nconsole-pin={PIN}")
    expect(board.text() == "name=\nconsole-pin=******", board.text())


def each_line_with_a_secret_is_hidden(board: Board) -> None:
    board.start(f"console-pin=739164\n  console-pin = {PIN} \nwifi-country=CH\nwifi-name=Harbor\nwifi-password=*correct horse\n")
    expect(board.has_pin(PIN), "the last line does not count")
    expect((board.work / "data/wifi/networks.conf").exists(), "a password that begins with an asterisk is not taken")
    hidden = f"console-pin=******\n  console-pin ={'*' * 8}\nwifi-country=CH\nwifi-name=Harbor\nwifi-password={'*' * 14}\n"
    expect(board.text() == hidden, board.text())


def the_boot_partition_is_read_only_again(board: Board) -> None:
    board.start(f"console-pin={PIN}\n")


def a_refusal_is_kept_over_the_next_start(board: Board) -> None:
    log = board.start("console-pin=12345\nname=boat 7\n")
    kept = board.kept(log)
    expect(kept == [line.removeprefix("<4>") for line in log.splitlines()] and len(kept) >= 2, f"kept: {kept}, of: {log}")
    expect(any("no PIN unlocks a console" in line for line in kept) and any("name=boat 7" in line for line in kept), f"kept: {kept}")


def one_line_names_the_settings_that_were_taken(board: Board) -> None:
    text = f"name=boat-7\nconsole-pin={PIN}\nwifi-country=CH\nwifi-name=Harbor\nwifi-password=correct horse\n"
    kept = board.kept(board.start(text))
    expect(kept == ["personalize: taken from binnacle.txt: name, wifi, console-pin"], f"kept: {kept}")
    log = board.start()
    expect(log == "", f"the second start takes nothing, and says: {log}")


# Each case with a change of a script that it has to find: file, old text, new text.
CASES: list[Case] = [
    (a_pin_is_hashed_and_hidden, SCRIPT, "(wifi-password|console-pin)", "wifi-password"),
    (a_pin_is_in_no_log_and_on_no_command_line, SCRIPT, """printf '%s\\n' "$pin" | binnacle console --set-pin""",
     """sh -c 'echo "$1" | binnacle console --set-pin; true' sh "$pin\""""),
    (a_pin_is_taken_once, SCRIPT, """| grep -v '^\\**$' || true""", ""),
    (a_line_without_a_value_changes_nothing, SCRIPT, '[ -n "$pin" ] || return 0', ""),
    (a_new_pin_replaces_the_old_one, SCRIPT, "pin=$(secret console-pin)", "pin=; [ -e /etc/binnacle/console-pin ] || pin=$(secret console-pin)"),
    (a_wrong_pin_leaves_the_board_without_one, SCRIPT, "rm -f /etc/binnacle/console-pin", "true"),
    (the_reason_is_told_before_any_pin_is_set, SCRIPT, 'say "console-pin=', ': "console-pin='),
    (a_last_line_without_an_end_is_hidden, SCRIPT, "truncate --size", "true --size"),
    (each_line_with_a_secret_is_hidden, SCRIPT, """grep -v '^\\**$'""", """grep -v '^\\*'"""),
    (the_boot_partition_is_read_only_again, SCRIPT, "mount -o remount,ro", "true"),
    (a_refusal_is_kept_over_the_next_start, SCRIPT, "s/^/<4>/", "s/^//"),
    (a_refusal_is_kept_over_the_next_start, KEEP_LOG, "--priority=warning", "--priority=err"),
    (one_line_names_the_settings_that_were_taken, SCRIPT, 'echo "$1" >>"$taken"', ""),
    (one_line_names_the_settings_that_were_taken, SCRIPT, 's/^/<4>/', "s/^/<5>/"),
]


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(run_cases("check-personalize", CASES, Board))
