"""Tracebacks that come again and again, as bytes: of those that differ in numbers only the first few are read.

All others are counted, with every line of theirs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from neurontriage.expressions import expression
from neurontriage.lines.digits import ALIKE
from neurontriage.lines.finder import Span
from neurontriage.lines.templates import (
    DIGITS,
    READ,
    READ_NUMBERS,
    Hits,
    Piece,
    Sight,
    Sights,
    Tally,
    ranks,
    template,
    untouched,
)

HEAD = b"Traceback (most recent call last)"
LIBRARY = r"site-packages|dist-packages|/lib(?:64)?/python|<frozen|neuronx?cc/"
"""What the file of a frame holds that is not of the user's own code."""
_LIBRARY = expression(LIBRARY.encode())
_LINK = expression(rb"During handling of the above exception|The above exception was the direct cause")
_FRAME = expression(rb'File ".+", line \d')
# What ends a traceback, whose type no pattern knows: `shards.Torn: shard 7 holds no rows`.
_RAISED = expression(rb"(?:[A-Za-z_]\w{0,80}\.){0,12}[A-Z]\w{0,80}(?:: |\s*$)")
_FILE, _SOURCE = b'File "', b"  "  # what a frame begins with, and how much further its source stands in
_WORD = expression(rb"\b(?=[a-f]*\d)[0-9a-f]{8,}\b")  # of an exception: a checksum, an address
_MOST, _LONGEST = 1000, 64 << 10
_NEAR, _FAR = 8, 4 << 10
"""Lines, and bytes, between an exception and the last frame of its traceback."""
_MOST_LINKS = 30
"""Tracebacks in a chain that is counted as one; of a longer one the last so many are."""


@dataclass(slots=True, eq=False, repr=False)
class Stack(Tally):
    """Tracebacks that are the same. `lines`: (template, lines below the first) of each line."""

    lines: Sequence[tuple[bytes, int]] = ()


@dataclass(eq=False, repr=False)
class Stacks:
    """The tracebacks of one log, by their digest.

    `differ`: as for `Repeats`; `ended`: where the last line stands of the one that was counted last.
    """

    sights: Sights
    differ: Callable[[bytes], bool] = lambda _: False
    found: dict[int, Stack] = field(default_factory=dict)
    ended: Span = (-1, -1)

    def counted(self, flat: bytes, pieces: Sequence[Piece], place: int) -> int:
        """Behind which piece the traceback ends that starts at one, if it is only counted; `place` if it is read."""
        upto = self._end(flat, pieces, place)
        start, end = pieces[place][0], pieces[upto - 1][1] if upto > place else 0
        last = pieces[upto - 1][0] - start
        if upto == place and (own := _raised(flat, start)):
            upto, (last, end) = self._until(pieces, place, own[1]), (own[0] - start, own[1])
        if upto == place or not 0 < end - start <= _LONGEST:
            return place
        text = flat[start:end]
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
        few = READ_NUMBERS if stack.seen >= READ and any(self.differ(key) for key, _ in stack.lines) else READ
        if stack.reads(few, ranks(text), start):
            return place
        self.ended = start + last, end
        return upto

    def _until(self, pieces: Sequence[Piece], place: int, end: int) -> int:
        """The first piece behind a traceback that ends here; `place` where another sort of statement stands in it."""
        for upto in range(place, len(pieces)):
            start, _, hits, _ = pieces[upto]
            if start >= end:
                return upto
            sight = self.sights.of(hits)
            if sight.limit is math.inf and not sight.stack:
                return place
        return len(pieces)

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
            pending -= len(_texts(flat, before, start))
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


def _raised(flat: bytes, start: int) -> Span | None:
    """Where the line stands that ends the traceback which starts here: the first behind its frames, as far left."""
    head = flat.find(HEAD, start)
    lead, at, framed = flat[start:head], flat.find(b"\n", head) + 1, False
    alike = lead.translate(ALIKE)
    while 0 < at < start + _LONGEST:
        end = flat.find(b"\n", at)
        end = end if end >= 0 else len(flat)
        body = flat[at + len(lead) : end]
        if flat[at : at + len(lead)].translate(ALIKE) != alike:
            return None
        if not body.startswith(b" "):
            return (at, end) if framed and _RAISED.match(body) else None
        framed, at = framed or _FILE in body, end + 1
    return None


def _of_library(flat: bytes, piece: Piece) -> bool:
    """Whether a frame is not of the user's own code."""
    start, end, *_ = piece
    return _LIBRARY.search(flat, flat.find(_FILE, start, end), end) is not None


def _texts(flat: bytes, start: int, end: int) -> list[bytes]:
    """The lines between two pieces that are not blank; where lines end with CR and LF, each second one is."""
    return [text for text in flat[start:end].split(b"\n") if text] if end - start > 1 else []


def _offsets(flat: bytes, pieces: Sequence[Piece]) -> Iterator[int]:
    """How many lines each piece stands below the first."""
    number, counted = 0, pieces[0][0]
    for start, *_ in pieces:
        number += flat.count(b"\n", counted, start)
        counted = start
        yield number


@dataclass(eq=False, repr=False)
class Frames:
    """The frames of one block: of a run of them few say anything of what was raised, and only these are read.

    They are the first, the last, and the innermost of the user's own code, as `claims/frames.py` asks for them, each
    with its source below it. `asked`: whether lines with these hits are read for something else; `end`: where the last
    one ends.
    """

    sights: Sights
    asked: Callable[[Hits], bool]
    until: int = 0
    passed: frozenset[int] = frozenset()
    end: int = 0

    def next(self, flat: bytes, pieces: Sequence[Piece], place: int) -> int:
        """Which piece is read next, from a frame or a source on: itself, if it is."""
        if place >= self.until:
            frames, self.until = self._run(flat, pieces, place)
            own = (n for n in range(len(frames) - 2, 0, -1) if not _of_library(flat, pieces[frames[n]]))
            kept = {0, next(own, 0), len(frames) - 1}
            few = (range(*frames[n : n + 2]) for n in range(len(frames) - 1) if n not in kept)
            self.passed = frozenset(one for passed in few for one in passed)
        while place in self.passed and not self.asked(pieces[place][2]):
            place += 1
        return place

    def judged(self, flat: bytes, piece: Piece) -> Sight:
        """What a line is that may be an exception; one that no frame stands above is counted as any line is."""
        start, end, hits, key = piece
        sight = self.sights.judged(flat[start:end], key, hits)
        if not sight.stack or (start - self.end <= _FAR and flat.count(b"\n", self.end, start) <= _NEAR):
            return sight
        return sight._replace(limit=READ)

    def _run(self, flat: bytes, pieces: Sequence[Piece], first: int) -> tuple[list[int], int]:
        """Which pieces are frames of one traceback, from one on, and behind which piece their run ends."""
        start, below, *_ = pieces[first]
        lead = flat[start : max(flat.find(_FILE, start, below), start)]
        frame, source = lead + _FILE, lead + _SOURCE
        frames: list[int] = []
        for place in range(first, len(pieces)):
            start, end, hits, _ = pieces[place]
            deeper = place == first or all(text.startswith(source) for text in _texts(flat, below, start))
            if not deeper or not self.sights.of(hits).plain:
                return frames, max(place, first + 1)
            if flat.startswith(frame, start):
                frames.append(place)
            elif not flat.startswith(source, start):
                return frames, max(place, first + 1)
            below = end
        return frames, len(pieces)
