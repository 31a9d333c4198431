#!/usr/bin/python3
"""Takes the steps out of a page of the documentation, and compares their output with the output that the page shows.

page.py split PAGE FOLDER      writes NUMBER.sh, NUMBER.out, NUMBER.status or NUMBER.do for each step, and prints "NUMBER KIND LINE"
                               for each
page.py compare SHOWN ACTUAL   status 0 if the actual output is the shown one

A block of ```sh is a step: its commands run as they are written. A block of ```text behind it is the output of its commands. A comment
<!-- bench: ACTION --> is a step, too: a person at the board does something. A comment <!-- not on the bench: REASON --> leaves the next
block out; the step is then of the kind "left". So does a comment <!-- machine: NAME -->: the output is the doctor's for a machine in
Tests/DiagnosisTests/Machines, where StartPageTests compares it. A comment <!-- status: N --> names the status with which the commands of
the next block end; without the comment it is 0. Each other language of a block is a mistake, so no listing of a page stays untried.

Output is compared line by line. Each number may be another number, and blanks count as one blank. A line "..." stands for any number of
lines, and "..." at the end of a line for the rest of the line.
"""

import pathlib
import re
import sys


class Mistake(Exception):
    pass


def steps(text):
    """The steps as (kind, line, content, shown output or None, status or None)."""
    found = []
    left = None
    status = None
    lines = text.splitlines()
    index = 0
    while index < len(lines):
        line = lines[index]
        action = re.fullmatch(r"<!-- bench: (.*) -->", line)
        reason = re.fullmatch(r"<!-- (?:not on the bench|machine): (.*) -->", line)
        ending = re.fullmatch(r"<!-- status: (\d+) -->", line)
        if action:
            found.append(["do", index + 1, action.group(1), None, None])
        elif reason:
            left = reason.group(1)
        elif ending:
            status = ending.group(1)
        elif line.startswith("<!-- "):
            raise Mistake(f"line {index + 1}: this comment is no step: {line}")
        elif line.startswith("```"):
            language, start = line[3:], index + 1
            index = start
            while index < len(lines) and lines[index] != "```":
                index += 1
            if index == len(lines):
                raise Mistake(f"line {start}: this block has no end")
            content = "\n".join(lines[start:index]) + "\n"
            if language == "sh":
                found.append(["sh" if left is None else "left", start, content if left is None else left, None, status])
                left = status = None
            elif language == "text" and found and found[-1][0] in ("sh", "left") and found[-1][3] is None:
                found[-1][3] = content
            else:
                raise Mistake(f"line {start}: a block is ```sh, or ```text behind its commands")
        index += 1
    return found


def split(page, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    for number, (kind, line, content, shown, status) in enumerate(steps(pathlib.Path(page).read_text()), 1):
        if kind != "left":
            (folder / f"{number}.{kind}").write_text(content if kind == "sh" else content + "\n")
        if kind == "sh" and shown is not None:
            (folder / f"{number}.out").write_text(shown)
        if kind == "sh" and status is not None:
            (folder / f"{number}.status").write_text(status + "\n")
        print(number, kind, line)


def pattern(line):
    """The regular expression of a shown line."""
    is_open = line.endswith("...")
    line = line.removesuffix("...")
    parts = re.split(r"(-?\d+|\s+)", line)
    words = [r"-?\d+" if re.fullmatch(r"-?\d+", part) else r"\s+" if part and part.isspace() else re.escape(part) for part in parts]
    return "".join(words) + (".*" if is_open else "")


def is_shown(shown, actual):
    """Whether the actual lines are the shown lines."""
    if not shown:
        return not actual
    if shown[0].strip() == "...":
        return any(is_shown(shown[1:], actual[skipped:]) for skipped in range(len(actual) + 1))
    if not actual or not re.fullmatch(pattern(shown[0].strip()), actual[0].strip()):
        return False
    return is_shown(shown[1:], actual[1:])


def compare(shown, actual):
    read = lambda path: pathlib.Path(path).read_text().rstrip().splitlines()
    return 0 if is_shown(read(shown), read(actual)) else 1


def main():
    order, *paths = sys.argv[1:]
    try:
        return split(*paths) if order == "split" else compare(*paths)
    except Mistake as mistake:
        print(f"page.py: {mistake}", file=sys.stderr)
        return 65


if __name__ == "__main__":
    sys.exit(main())
