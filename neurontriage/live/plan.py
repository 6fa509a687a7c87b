"""What the user of `run` asked for, read from the words of the command line before anything else is loaded."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}
_LEVELS = ("none", "secrets", "strict")
"""What `--redact` takes; `render/redaction/sharing.py` refuses the others with a hint."""


class Plan:
    """The command, and what the options say.

    `silence`: seconds without output that are a hang, 0 for never. `report`: a file in the format of its suffix.
    `knowledge`: folders with entries of the user's own. `follow`: whether files that the output names are read, below
    the current folder, those for temporary files, and `roots`. `redact`: what to take out of the answer and the report;
    None takes secrets out of a report that is made to be shared.
    """

    silence = 1800.0
    report = ""
    redact: str | None = None
    follow = True

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.knowledge: list[str] = []
        self.roots: list[str] = []

    def places(self) -> tuple[Path, ...]:
        """The folders in which files that the output names may be read."""
        import tempfile
        from pathlib import Path

        if not self.follow:
            return ()
        elsewhere = (Path(tempfile.gettempdir()), Path("/var/tmp"), *map(Path, self.roots))
        try:
            return (Path.cwd(), *elsewhere)
        except FileNotFoundError:  # it is removed
            return elsewhere


def asked(words: list[str]) -> Plan | None:
    """The words behind `run` → what they ask for.

    None where something is to be refused or explained (no command, an option or a value that does not exist, `--help`):
    the whole command line does that, and takes longer to be loaded than many a command to run.
    """
    plan, at = Plan([]), 0
    while at < len(words) and words[at].startswith("-") and words[at] not in ("-", "--"):
        word, value = words[at], words[at + 1] if at + 1 < len(words) else ""
        if word in ("--follow", "--no-follow"):
            plan.follow = word == "--follow"
        elif word not in _TAKES or not _TAKES[word](plan, value):
            return None
        at += 1 if word in ("--follow", "--no-follow") else 2
    plan.words = words[at + 1 :] if words[at : at + 1] == ["--"] else words[at:]
    return plan if plan.words else None


def _silence(plan: Plan, value: str) -> bool:
    found = seconds(value)
    plan.silence = plan.silence if found is None else found
    return found is not None


def seconds(text: str) -> float | None:
    """`90`, `90s`, `1.5m`, `2h` → seconds; None for what is no such time."""
    number = text[:-1] if text[-1:] in _UNITS else text
    whole, point, part = number.partition(".")
    if not (number.isascii() and whole.isdecimal() and part.isdecimal() == bool(point)):
        return None
    return float(number) * _UNITS.get(text[-1:], 1.0)


def _output(plan: Plan, value: str) -> bool:
    from neurontriage.render.suffixes import SUFFIXES

    plan.report = value
    return os.path.splitext(value)[1] in SUFFIXES and os.path.isdir(os.path.dirname(value) or ".")


def _redact(plan: Plan, value: str) -> bool:
    plan.redact = value
    return value in _LEVELS


def _knowledge(plan: Plan, value: str) -> bool:
    plan.knowledge.append(value)
    return os.path.isdir(value)


def _root(plan: Plan, value: str) -> bool:
    plan.roots.append(value)
    return bool(value)


_TAKES: dict[str, Callable[[Plan, str], bool]] = {
    "--silence": _silence,
    "--output": _output,
    "-o": _output,
    "--redact": _redact,
    "--knowledge": _knowledge,
    "--follow-root": _root,
}
