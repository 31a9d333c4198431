"""Cases that try the scripts of the image. Each names a change of a script that it has to find."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

SCRIPTS = Path(__file__).parent / "files/usr"


class Wrong(Exception):
    """A case that did not end as it should."""


def expect(is_right: bool, text: str) -> None:
    if not is_right:
        raise Wrong(text)


# A case gets what the caller's factory makes. Its change: file below SCRIPTS, old text, new text.
Case = tuple[Callable[[Any], None], str, str, str]


def outcome(case: Callable[[Any], None], make_bench: Callable[[Path, dict[str, str]], Any], scripts: dict[str, str]) -> str | None:
    """Returns the failure of a case; None if the case passes."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            case(make_bench(Path(folder), scripts))
        except Wrong as wrong:
            return str(wrong).strip() or "it failed without a word"
    return None


def run_cases(title: str, cases: list[Case], make_bench: Callable[[Path, dict[str, str]], Any]) -> int:
    """Runs each case as it is, and with the changed script, where it has to fail; returns the exit status."""
    failures = missed = 0
    for case, file, old, new in cases:
        name = case.__name__.replace("_", " ")
        text = (SCRIPTS / file).read_text()
        assert old in text, f"{name}: {file} has no {old}"
        wrong = outcome(case, make_bench, {})
        control = outcome(case, make_bench, {file: text.replace(old, new)})
        failures += wrong is not None
        missed += control is None
        verdict = f"WRONG: {wrong}" if wrong else "WRONG: the control passes" if control is None else "right"
        print(f"{title}: {verdict}: {name}", flush=True)
    print(f"{title}: {len(cases) - failures} of {len(cases)} cases right; {len(cases) - missed} of {len(cases)} changed scripts found")
    return 1 if failures or missed else 0
