"""Tracebacks that come again and again, as bytes: of those that differ in numbers only the first few are read.

All others are counted, with every line of theirs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from neurontriage.expressions import expression
from neurontriage.lines.templates import DIGITS, READ, Piece, Sights, Tally, ranks, template, untouched

HEAD = b"Traceback (most recent call last)"
_LINK = expression(rb"During handling of the above exception|The above exception was the direct cause")
_FRAME = expression(rb'File ".+", line \d')
_WORD = expression(rb"\b(?=[a-f]*\d)[0-9a-f]{8,}\b")  # of an exception: a checksum, an address
_MOST, _LONGEST = 1000, 64 << 10
_MOST_LINKS = 30
"""Tracebacks in a chain that is counted as one; of a longer one the last so many are."""


@dataclass(slots=True, eq=False, repr=False)
class Stack(Tally):
    """Tracebacks that are the same. `lines`: (template, lines below the first) of each line."""

    lines: Sequence[tuple[bytes, int]] = ()


@dataclass(eq=False, repr=False)
class Stacks:
    """The tracebacks of one log, by their digest."""

    sights: Sights
    found: dict[int, Stack] = field(default_factory=dict)

    def counted(self, flat: bytes, pieces: Sequence[Piece], place: int) -> int:
        """Behind which piece the traceback ends that starts at one, if it is only counted; `place` if it is read."""
        upto = self._end(flat, pieces, place)
        start, end = pieces[place][0], pieces[upto - 1][1] if upto > place else 0
        if not 0 < end - start <= _LONGEST:
            return place
        text, last = flat[start:end], pieces[upto - 1][0] - start
        said = text[:last].translate(None, DIGITS) + _WORD.sub(b"", text[last:]).translate(None, DIGITS)
        digest = hash(said)  # keyed anew in every process, so that no log can be written to collide; 64 bits
        stack = self.found.get(digest)
        if stack is None:
            if len(self.found) >= _MOST:
                return place
            touched = set(_offsets(flat, pieces[place:upto]))
            lines = [(n, line) for n, line in enumerate(text.split(b"\n")) if line.strip()]
            stack = Stack(lines=[(template(line) if n in touched else untouched(line), n) for n, line in lines])
            self.found[digest] = stack
        return place if stack.reads(READ, ranks(text), start) else upto

    def skipped(self) -> Iterator[tuple[bytes, int, int]]:
        """(template, how many lines, the last line) of the lines of tracebacks that were only counted."""
        for stack in self.found.values():
            for key, offset in stack.lines if stack.count else ():
                yield key, stack.count, stack.last + offset

    def _end(self, flat: bytes, pieces: Sequence[Piece], place: int) -> int:
        """Behind which piece a traceback ends with its chain, at an exception; `place` where it has no end in sight."""
        pending, before, linked, found, links = 0, pieces[place][0], True, place, 0
        for upto in range(place, len(pieces)):
            start, end, hits, key = pieces[upto]
            raw, sight = flat[start:end], self.sights.of(hits)
            pending -= max(0, flat.count(b"\n", before, start) - 1)
            headed = HEAD in raw
            if pending < 0 or (headed and not linked) or (sight.limit is math.inf and not sight.stack):
                break
            links += headed
            if links > _MOST_LINKS:
                return place
            linked = _LINK.search(raw) is not None
            if sight.stack and not linked and not headed and not _FRAME.search(raw):
                sight = self.sights.judged(raw, key, hits)
                found = upto + 1 if sight.stack else found
            pending, before = max(pending, sight.follow), end
        cut = found < len(pieces) and _LINK.search(flat, pieces[found][0], pieces[found][1])
        return place if cut else found


def _offsets(flat: bytes, pieces: Sequence[Piece]) -> Iterator[int]:
    """How many lines each piece stands below the first."""
    number, counted = 0, pieces[0][0]
    for start, *_ in pieces:
        number += flat.count(b"\n", counted, start)
        counted = start
        yield number
