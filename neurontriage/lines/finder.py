"""Where in a block patterns stand: line by line, but of lines that differ in digits only one is scanned.

A healthy log says the same things with other numbers: of a gigabyte a few thousand lines are new. What was found in one
is known of all that are like it, of whatever log, unless a pattern tells digits apart that could stand in it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from neurontriage.lines.digits import ALIKE
from neurontriage.lines.remembered import keeps
from neurontriage.lines.scan import Engine, Hit
from neurontriage.lines.templates import Hits, Piece, Tally, template

LONGEST_PIECE = 4 << 10
"""Longer lines are cut around their hits, which bounds what one hostile line costs a backtracking `re`."""
_BEFORE, _AFTER = 2560, 1536
_ONCE = 1 << 10
"""In a line that is no longer a pattern is reported once."""
_FEW = 64 << 10
"""So many bytes are scanned as they are: for a short log nothing has to be known of lines."""
_MUCH, _LONGEST_WAIT = 0.75, 2 << 20
"""Where so large a share of a block is new, the next bytes are scanned as they are, up to so many."""
_MOST, _ROOM = 20_000, 4 << 20
"""How many lines are known, and how many bytes they have together, before all are forgotten."""

Span = tuple[int, int]


class Kind(NamedTuple):
    """What lines are that differ in digits only: the patterns that touch them, and their template."""

    hits: Hits
    key: bytes


_UNTOUCHED, _APART = Kind((), b""), Kind((), b"apart")
Counted = Callable[[Kind], Tally | None]
"""What counts all lines of a kind, if none of them is read any more."""


class Found(NamedTuple):
    """What was found in a block.

    `last`: where the last line starts that a pattern touched, -1 without one; `quiet`: the lines, with 0 for each
    digit, that were only counted, and are none of the pieces, each with what counts it.
    """

    pieces: Sequence[Piece]
    last: int
    quiet: Mapping[bytes, Tally] = {}


class Lines:
    """The lines of a block. `alike`: each with 0 for every digit; `newest`: the last place of each of these."""

    def __init__(self, flat: bytes) -> None:
        self.flat = flat
        self.alike = flat.translate(ALIKE).split(b"\n")
        self.newest = dict(zip(self.alike, range(len(self.alike)), strict=True))
        self._ends = list(accumulate(map(len, self.alike)))

    def span(self, place: int) -> Span:
        """Start and end of a line in the block."""
        end = self._ends[place] + place
        return end - len(self.alike[place]), end


class Finder:
    """Finds the patterns of an engine in blocks. `apart`: gives the engine of all patterns that tell digits apart, with
    any digit for theirs; without it every line is scanned.
    """

    def __init__(self, engine: Engine, apart: Callable[[], Engine] | None = None) -> None:
        self._engine = engine
        self._apart = apart and cache(apart)
        self._known: dict[bytes, Kind] = {}
        self._room = _ROOM
        self._left = self._wait = _FEW
        keeps(self)

    def forget(self) -> None:
        """Let go of what is known of lines."""
        self._known, self._room = {}, _ROOM

    def found(self, flat: bytes, counted: Counted = lambda _: None) -> Found:
        """The pieces of a block, in order, but for those of kinds that are only counted."""
        self._left -= len(flat)
        if self._apart is None or self._left >= 0:
            pieces = [(start, end, hits, template(flat[start:end])) for start, end, hits in self._scanned(flat)]
            return Found(pieces, pieces[-1][0] if pieces else -1)
        lines = Lines(flat)
        own = self._learn(lines, self._apart())
        kinds = {one: kind for one in lines.newest if (kind := self._known.get(one, _APART)) is not _UNTOUCHED}
        quiet = {one: tally for one, kind in kinds.items() if kind.hits and (tally := counted(kind))}
        loud = {one: kind for one, kind in kinds.items() if one not in quiet}
        pieces = list(_pieces(lines, loud, own))
        last = max(map(lines.newest.__getitem__, quiet), default=-1)
        if quiet:
            _count(lines, quiet)
        starts = (lines.span(last)[0] if quiet else -1, pieces[-1][0] if pieces else -1)
        return Found(pieces, max(starts), quiet)

    def _learn(self, lines: Lines, apart: Engine) -> dict[int, list[Piece]]:
        """Know all lines of a block; the pieces of those that have to be scanned for themselves, by their places."""
        fresh = self._fresh(lines)
        if fresh:
            self._known.update(dict.fromkeys(fresh, _UNTOUCHED))
            text = b"\n".join(fresh)
            self._known.update((one, _APART) for one in _touched(text, apart.scan(text)))
        return self._read(lines, fresh)

    def _fresh(self, lines: Lines) -> list[bytes]:
        """The lines that are not known yet. Where most are new it does not pay to know them."""
        fresh = [one for one in lines.newest if one not in self._known and len(one) < _ONCE]
        size = sum(map(len, fresh))
        self._room -= size
        if size > _MUCH * len(lines.flat):
            self._left = self._wait = min(2 * self._wait, _LONGEST_WAIT)
        else:
            self._wait = _FEW
        if self._room >= 0 and len(self._known) + len(fresh) <= _MOST:
            return fresh
        self._known, self._room = {}, _ROOM
        return [one for one in lines.newest if len(one) < _ONCE]

    def _read(self, lines: Lines, fresh: Iterable[bytes]) -> dict[int, list[Piece]]:
        """Scan one line of each fresh kind, and all that patterns may tell apart."""
        known = self._known
        own: dict[int, list[Piece]] = {}
        apart = {one for one in lines.newest if known.get(one, _APART) is _APART}
        chosen = [lines.newest[one] for one in fresh if one not in apart]
        if apart:
            chosen += [place for place, one in enumerate(lines.alike) if one in apart]
        for place, (start, end, hits) in self._among(lines, sorted(chosen)):
            one, key = lines.alike[place], template(lines.flat[start:end])
            if one in apart:
                own.setdefault(place, []).append((start, end, hits, key))
            else:
                known[one] = Kind(hits, key)
        return own

    def _among(self, lines: Lines, chosen: Sequence[int]) -> Iterator[tuple[int, tuple[int, int, Hits]]]:
        """What is found in some lines, each with the place of its line."""
        spans = list(map(lines.span, chosen))
        text = b"\n".join([lines.flat[start:end] for start, end in spans])
        begins = list(accumulate((end - start + 1 for start, end in spans), initial=0))
        for start, end, hits in self._scanned(text):
            number = bisect_right(begins, start) - 1
            move = spans[number][0] - begins[number]
            yield chosen[number], (start + move, end + move, hits)

    def _scanned(self, text: bytes) -> Iterator[tuple[int, int, Hits]]:
        return _merged(text, self._engine.scan(text)) if text else iter(())


def _pieces(lines: Lines, loud: dict[bytes, Kind], own: dict[int, list[Piece]]) -> Iterator[Piece]:
    for place in [place for place, one in enumerate(lines.alike) if one in loud]:
        kind = loud[lines.alike[place]]
        if kind is _APART:
            yield from own.get(place, ())
        else:
            yield *lines.span(place), *kind


def _count(lines: Lines, quiet: dict[bytes, Tally]) -> None:
    """Add the lines that are only counted."""
    times = Counter(lines.alike)
    for one, tally in quiet.items():
        tally.count += times[one]
        tally.place = max(tally.place, lines.span(lines.newest[one])[0])


def _touched(text: bytes, hits: Iterable[Hit]) -> set[bytes]:
    """The lines of a text in which something was found."""
    return {text[start:end] for start, end, _ in _merged(text, list(hits))}


def _merged(flat: bytes, hits: Sequence[Hit]) -> Iterator[tuple[int, int, Hits]]:
    """Hits → (start, end, pattern numbers) of the pieces they touch; a very long piece is cut around its hits."""
    start = end = -1
    numbers: Hits = ()
    for offset, number in hits:
        if offset <= end:
            numbers += (number,)
            continue
        if numbers:
            yield start, end, numbers if end - start < _ONCE else tuple(dict.fromkeys(numbers))
        at = offset - 1 if offset else 0
        start = flat.rfind(b"\n", at - LONGEST_PIECE if at > LONGEST_PIECE else 0, at) + 1
        end = flat.find(b"\n", at, at + LONGEST_PIECE)
        if not start or end < 0 or end - start > LONGEST_PIECE:
            start, end = _piece(flat, at)
        numbers = (number,)
    if numbers:
        yield start, end, numbers if end - start < _ONCE else tuple(dict.fromkeys(numbers))


def _piece(flat: bytes, at: int) -> Span:
    """The line around an offset, or as much of it as is looked at."""
    low, high = max(at - LONGEST_PIECE, 0), min(at + LONGEST_PIECE, len(flat))
    before, after = flat.rfind(b"\n", low, at), flat.find(b"\n", at, high)
    start, end = (before + 1 if before >= 0 else low), (after if after >= 0 else high)
    if end - start > LONGEST_PIECE:
        start, end = max(start, at - _BEFORE), min(end, at + _AFTER)
    return start, end
