"""What a log prints, line by line, without its numbers: to tell what one run prints and another does not."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from neurontriage.expressions import expression

MOST = 500_000
_SHORT, _SHOWN = 6, 160
_VARIABLE = expression(rb"0x[0-9a-fA-F]+|\b[0-9a-f]{7,}\b|\d+(?:\.\d+)?")
_LETTERS = string.ascii_letters.encode() + bytes(range(128, 256))
_BLANKS = expression(rb"\s+")


def folded(line: bytes) -> bytes:
    """A line without its numbers, times and hexadecimal ids: a zero stands for each."""
    return _VARIABLE.sub(b"0", line.strip())


def letters(line: bytes) -> int:
    """How many letters a line has; of other alphabets than ASCII, how many bytes they are."""
    return len(line) - len(line.translate(None, _LETTERS))


def wording(line: bytes) -> bytes:
    """A line without numbers, hexadecimal ids and runs of blanks; empty for what says too little to be compared."""
    text = _BLANKS.sub(b" ", folded(line[:2000]))
    return text if letters(text[:80]) >= _SHORT else b""


@dataclass(eq=False, repr=False)
class Wordings:
    """The wordings of good runs, each with its place in the first of them. Bounded: `full` beyond MOST of them."""

    places: dict[bytes, int] = field(default_factory=dict)
    shown: list[bytes] = field(default_factory=list)
    full: bool = False

    def read(self, content: Iterable[bytes]) -> None:
        """Take the lines of one good run."""
        for line in lines(content):
            said = wording(line)
            if said and said not in self.places:
                if len(self.places) >= MOST:
                    self.full = True
                    return
                self.places[said] = len(self.shown)
                self.shown.append(line.strip()[:_SHOWN])

    def compare(self, content: Iterable[bytes]) -> Divergence:
        """The first line of another run that no good run prints, and what good ones print after the last common one."""
        found, seen, last = Divergence(), set[int](), -1
        for number, line in enumerate(lines(content), 1):
            said = wording(line)
            place = self.places.get(said)
            if place is not None:
                seen.add(place)
                last = max(last, place)
            elif said and found.new == 0:
                found.new, found.text = number, line.strip()[:_SHOWN].decode("utf-8", "replace")
        later = (place for place in range(last + 1, len(self.shown)) if place not in seen)
        gone = next(later, None)
        found.gone = self.shown[gone].decode("utf-8", "replace") if gone is not None else ""
        return found


@dataclass(eq=False, repr=False)
class Divergence:
    """`new`: the number of the first line that is new (0 for none), with its text; `gone`: what did not come."""

    new: int = 0
    text: str = ""
    gone: str = ""


def shown(line: bytes) -> bytes:
    """What is left of a line on a screen: of one that was written over and over (a bar) its last state."""
    return line.rstrip(b"\r").rpartition(b"\r")[2]


def lines(content: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of blocks that end at line feeds, as they are shown."""
    for block in content:
        yield from map(shown, block.removesuffix(b"\n").split(b"\n"))
