"""The `call` of an unsupported operator → where it stands in the user's source."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE = re.compile(r"(?P<file>\S.*?) (?P<line>\d{1,9})")
_FRAME = re.compile(r"(?P<file>\S.*?)\((?P<line>\d{1,9})\): ?(?P<function>.*)")
_LIBRARY = re.compile(r"(^|/)(site-packages|dist-packages|lib/python\d[\d.]*|lib64/python\d[\d.]*)/")


@dataclass(frozen=True, slots=True, order=True)
class Frame:
    """One line of a stack; `line` is 1-based, `function` empty in the training form `file.py 24`."""

    file: str
    line: int
    function: str = ""

    @property
    def library(self) -> bool:
        """Whether the file belongs to an installed package or to Python."""
        return bool(_LIBRARY.search(self.file))


@dataclass(frozen=True, slots=True)
class Site:
    """Where an operator is called: the user's innermost frame, the whole stack, the printed text."""

    frame: Frame | None
    stack: tuple[Frame, ...]
    text: str


def site_of(call: str) -> Site:
    """Both public forms: `file.py 24`, and a stack of `file.py(6): function` lines, innermost first."""
    lines = [line.strip() for line in call.splitlines() if line.strip()]
    frames = tuple(frame for frame in map(_frame, lines) if frame)
    own = next((frame for frame in frames if not frame.library), None)
    return Site(own or (frames[0] if frames else None), frames, call)


def _frame(line: str) -> Frame | None:
    found = _FRAME.fullmatch(line) or _LINE.fullmatch(line)
    if not found:
        return None
    return Frame(found["file"], int(found["line"]), found.groupdict().get("function") or "")
