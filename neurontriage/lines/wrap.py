"""Logs that a terminal or a log driver broke at a fixed column: every line is whole again, its number kept."""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from operator import eq

from neurontriage.expressions import expression

_SAMPLE = 64 << 10
_NARROW, _WIDE = 60, 400
_LEAST, _SHARE = 4, 0.6
_SHORTEST = 20
_NEAR = 4  # records of several forms may alternate
_NUMBERS = b"0123456789. \t\r\x0b\x0c"
# How a line starts that begins something of its own: a header, an indented line, a blank one.
_BEGINS = expression(
    r"\s|$|[\[(<{|+#>*=~-]"
    r"|\d{4}-|\d\d[:/-]\d\d|\d+%|[IWEF]\d{4} |[A-Z][\w.]*(?:Error|Exception|Warning)?:|File \"|Traceback"
    r"|[A-Z]{3,}\b(?!=)"
)


def width(text: str) -> int:
    """The column, in characters, at which a text was broken; 0 where its lines are as they were written.

    Broken lines are all as long as the longest, or one shorter where a blank was lost, and the next one begins nothing,
    goes on in other words each time, and is no record of the same form, as logs of a fixed width have them.
    """
    lines = text.split("\n") if "\r" not in text else [line.rstrip("\r") for line in text.split("\n")]
    most = max(sizes := list(map(len, lines)))
    if not _NARROW <= most <= _WIDE or sizes.count(most) + sizes.count(most - 1) < _LEAST:
        return 0
    full = [(line, below) for line, below in pairwise(lines) if len(line) >= most - 1]
    broken = [line for line, below in full if not _begins(line, below, most)]
    if len(broken) < _LEAST or len(set(map(_shape, broken))) < 2:  # one line that comes again is always as long
        return 0
    long = ((line, below) for line, below in pairwise(lines) if len(line) >= _SHORTEST)
    going_on = sum(not _BEGINS.match(_rest(line, below, most)) for line, below in long)
    if len(broken) < (least := max(_LEAST, _SHARE * going_on)):
        return 0
    rests = _rests(lines, most)
    return most if len(rests) >= least and len(set(map(_shape, rests))) > 1 else 0


def _rests(lines: list[str], column: int) -> list[str]:
    """What broken lines may go on with: a line as long and of the same form as one above it is a record of its own."""
    found, above = list[str](), deque[str](maxlen=_NEAR)
    for line, below in pairwise(lines):
        above.appendleft(line)
        if len(line) < column - 1 or _begins(line, below, column):
            above.clear()
        elif len(below) < column - 1 or not any(_formed(below, one) for one in above):
            found.append(below)
    return found


def _formed(one: str, other: str) -> bool:
    """Whether two lines have most of their columns in common, or the places of their blanks."""
    if 2 * sum(map(eq, one, other)) >= min(len(one), len(other)):
        return True
    mine, its = ({place for place, sign in enumerate(line) if sign == " "} for line in (one, other))
    return bool(mine) and len(mine & its) >= _SHARE * len(mine | its)


def _begins(line: str, below: str, column: int) -> bool:
    """Whether a line begins something of its own: it looks so, or it is the one above it with other numbers."""
    return _BEGINS.match(_rest(line, below, column)) is not None or _alike(line, below)


def _alike(line: str, below: str) -> bool:
    """Whether two lines differ in their numbers only, and have some."""
    return _shape(line) == _shape(below) and any(map(str.isdigit, line))


def _shape(line: str) -> bytes:
    """A line without its numbers and blanks."""
    return line.encode("utf-8", "surrogatepass").translate(None, _NUMBERS)


def _rest(line: str, below: str, column: int) -> str:
    """What a line may go on with; a blank at the very cut does not indent it."""
    return below[1:] if len(line) == column and below[:1] == " " else below


class Wraps:
    """Puts the lines of one log together again; `ends`: number of a line → that of the last line it was broken into."""

    def __init__(self) -> None:
        self._width: int | None = None
        self.ends: dict[int, int] = {}

    def joined(self, block: bytes, before: int) -> bytes:
        """A block with its broken lines whole, and blank lines for what they were broken into.

        `before`: how many lines the log has before it.
        """
        if self._width is None:
            self._width = width(block[:_SAMPLE].decode("utf-8", "replace"))
        if not self._width:
            return block
        lines = [line.rstrip("\r") for line in block.decode("utf-8", "replace").split("\n")]
        first, broken = 0, lines[0]
        for place in range(1, len(lines)):
            line = lines[place]
            if self._goes_on(broken, line):
                lines[first] += line if len(broken) == self._width else f" {line}"
                lines[place] = ""
                self.ends[before + first + 1] = before + place + 1
            else:
                first = place
            broken = line
        return "\n".join(lines).encode()

    def _goes_on(self, broken: str, below: str) -> bool:
        """Whether a line goes on in the one below it; where it was cut at a blank, that stands in front of the rest."""
        column = self._width or 0
        return len(broken) in (column, column - 1) and not _begins(broken, below, column)
