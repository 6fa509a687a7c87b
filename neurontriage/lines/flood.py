"""Counts what floods a log, on its bytes: of lines that differ in digits only, the first few become lines."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from neurontriage.lines.attempts import counts_tries
from neurontriage.lines.finder import Counted, Kind
from neurontriage.lines.prefix import strip
from neurontriage.lines.stacks import HEAD, Frames, Stacks
from neurontriage.lines.streams import unmarked
from neurontriage.lines.templates import (
    BELOW,
    MOST_TEMPLATES,
    MOST_WORDINGS,
    NOTED,
    RANKED,
    READ,
    READ_NUMBERS,
    READ_TRIES,
    READ_WORDS,
    Hits,
    Piece,
    Sight,
    Sorts,
    Tally,
    told_by_pass,
)
from neurontriage.lines.templates import rank as rank_of

Passed = tuple[int, int, Hits, bytes | None, int]
"""Start and end of what was looked at, the patterns that touched it, its template (None: it was only counted), and how
many lines after it belong to it, or BELOW, or NOTED of one that was only counted."""

Slot = bytes | tuple[bytes, Hits] | Hits
"""What lines are counted for: their template, with what was found in them if that varies, or only the latter."""


@dataclass(slots=True, eq=False, repr=False)
class _Seen(Tally):
    """Lines of a template in which the same patterns were found. `key`: what the template is called.

    `over`: no more are read, but of ranks that have printed none; `flood`: of ranks that have, all more are only
    counted. `said`: what those of them that were read say, where no more than that is asked.
    `tries`: their numbers may count tries.
    """

    key: bytes = b""
    hits: Hits = ()
    over: bool = False
    flood: bool = False
    said: set[tuple[str, int | None]] | None = None
    noted: bool = False
    tries: bool = False

    @property
    def below(self) -> int:
        """What belongs to one that is only counted."""
        return BELOW if self.calm else NOTED if self.noted else 0

    def again(self, raw: bytes) -> bool:
        """Whether a line says what one before it said, but for its header, and so says nothing."""
        text, own = unmarked(raw.decode("utf-8", "replace"))
        prefix = strip(text, own)
        what = prefix.payload, prefix.rank
        if self.said is None:
            self.said = set()
        known = len(self.said)
        self.said.add(what)
        return len(self.said) == known


class Every:
    """Passes on every line, as `Repeats` does where nothing is repeated."""

    ended = -1

    def __init__(self, sorts: Sorts) -> None:
        self.pending = self.short = self.passed = False
        self._sights = sorts.sights

    def picked(self, flat: bytes, pieces: Sequence[Piece]) -> Iterator[Passed]:
        """Every piece, in order."""
        for start, end, hits, key in pieces:
            sight = self._sights.of(hits)
            if sight.anchored:
                sight = self._sights.judged(flat[start:end], key, hits)
            yield start, end, hits, key, sight.follow

    def counting(self, _flat: bytes) -> Counted:
        """Nothing is only counted."""
        return lambda _: None

    def settle(self, flat: bytes, number: int) -> None:
        """Nothing was only counted."""


class Repeats:
    """Counts the lines of one log by template, and its tracebacks by what they print.

    `every`: what passes on the lines that stand around those that are counted. `pending`: whether a line that was read
    goes on in the next ones; `lacks`: whether lines with these hits may say something new of what the program runs on,
    `differ`: whether lines of a template that were read said several things; `short`: whether every line is read that
    none of the patterns touched; `passed`: whether the frames above were passed by.
    """

    def __init__(
        self,
        sorts: Sorts,
        lacks: Callable[[Hits], bool] = lambda _: True,
        differ: Callable[[bytes], bool] = lambda _: False,
    ) -> None:
        self.every = Every(sorts)
        self._lacks, self._differ = lacks, differ
        self.pending = self.short = self.passed = False
        self._above, self._near = (b"", -1), False
        self._sights = sorts.sights
        self._stacks, self._frames = Stacks(self._sights, differ), Frames(self._sights, lacks)
        self._seen: dict[Slot, _Seen] = {}
        self._wordings = Counter[Hits]()
        self._read: dict[Hits, int] = {}

    def picked(self, flat: bytes, pieces: Sequence[Piece]) -> Iterator[Passed]:
        """Every piece, in order; a traceback that is only counted comes as one."""
        place, sights, known, flooding = 0, self._sights, self._sights.known, self._seen
        frames = self._frames = Frames(sights, self._lacks)
        self._above, self._stacks.ended = (b"", -1), (-1, -1)
        while place < len(pieces):
            start, end, hits, key = pieces[place]
            seen = flooding.get(key) or (None if key.startswith(RANKED) else flooding.get(hits))
            if (
                seen
                and seen.flood
                and seen.hits == hits
                and (not seen.ranks or rank_of(flat, start, end) in seen.ranks)
            ):
                seen.count += 1
                if start > seen.place:
                    seen.place = start
                if self.pending or self.short or seen.noted:
                    yield start, end, hits, None, seen.below
                place += 1
                continue
            sight = known.get(hits) or sights.of(hits)
            if (sight.stack or place < frames.until) and (upto := self._behind(flat, pieces, place, sight)) > place:
                end = pieces[upto][0] if self.passed else max(pieces[upto - 1][1], self._stacks.ended[1])
                yield start, end, (), None, 0
                place = upto
                continue
            place += 1
            if sight.anchored:
                sight = frames.judged(flat, (start, end, hits, key))
            if sight.limit is not math.inf:
                seen = self._counts(key, hits, sight)
                if sight.limit <= seen.seen < READ:
                    yield start, start, (), None, 0  # what stands above is read first: it may go on in this line
                if not self._reads(flat, (start, end, hits, key), seen, sight):
                    yield start, end, hits, None, seen.below
                    continue
                self._above, key = (key, end + 1), seen.key
            else:
                self._above = key, end + 1
            yield start, end, hits, key, sight.follow
            self.passed = False

    def _behind(self, flat: bytes, pieces: Sequence[Piece], place: int, sight: Sight) -> int:
        """Which piece stands behind a traceback that is only counted, or behind frames that say nothing."""
        start, end, *_ = pieces[place]
        self._frames.end = self._frames.end if sight.anchored else end
        if sight.stack and flat.find(HEAD, start, end) >= 0:
            return self._stacks.counted(flat, pieces, place)
        if self.short or not (sight.plain or place < self._frames.until):
            return place
        upto = self._frames.next(flat, pieces, place)
        self.passed = self.passed or upto > place
        return upto

    def _reads(self, flat: bytes, piece: Piece, seen: _Seen, sight: Sight) -> bool:
        """Whether a line is read; it is counted if not."""
        start, end, hits, key = piece
        known = sight.facts and not (self.pending or self.short or start <= self._above[1]) and not self._lacks(hits)
        if known or (seen.flood and not seen.ranks):
            seen.count += 1
            seen.place = max(seen.place, start)
            return False
        limit = sight.limit if self._read.get(hits, 0) < MOST_WORDINGS else 1
        if failing := sight.wordings is math.inf:
            above, below = self._above
            self._near = self.pending or (start <= below and (self._near or key != above))
            limit = max(limit, READ) if self._near else limit
        if seen.calm and limit == READ and not seen.over and seen.again(flat[start:end]):
            seen.count += 1
            seen.place = start
            return False
        if seen.tries and not seen.over:
            limit = READ_TRIES  # the last of them counts, however little is said of it
        elif limit == READ <= seen.seen and not seen.over:
            limit = READ_NUMBERS if self._differ(seen.key) else READ
        if not seen.reads(limit, rank_of(flat, start, end), start):
            seen.over = not failing or seen.seen > READ
            alike = seen.key == key or not self._sights.of(hits).anchored
            seen.flood = seen.over and alike and not sight.stack and bool(seen.ranks) == key.startswith(RANKED)
            return False
        if sight.wordings is not math.inf:
            self._read[hits] = self._read.get(hits, 0) + 1
        return True

    @property
    def ended(self) -> int:
        """Where in a block the last line starts of a traceback that was only counted; -1 without one."""
        return self._stacks.ended[0]

    def counting(self, flat: bytes) -> Counted:
        """What counts all lines of a kind in a block. Where a traceback begins, all lines tell where it ends."""
        return (lambda _: None) if HEAD in flat else self._flood

    def _flood(self, kind: Kind) -> Tally | None:
        """What counts lines of which no more are read; those of ranks, and exceptions, are looked at one by one."""
        seen = self._seen.get(kind.key)
        if seen is None or seen.hits != kind.hits:
            sight = self._sights.of(kind.hits)
            seen = None if sight.anchored else self._seen.get(self._slot(*kind, sight))
        apart = kind.key.startswith(RANKED) or self._sights.of(kind.hits).stack
        return seen if seen and seen.over and not seen.noted and not apart else None

    def _slot(self, hits: Hits, key: bytes, sight: Sight) -> Slot:
        """What a line counts for whose template is new, or was known with other patterns: a number may be a code.

        After a flood of lines that are all different, it counts for what was found in it.
        """
        slot: Slot = (key, hits) if key in self._seen else key
        crowd = len(self._seen) > MOST_TEMPLATES or self._wordings[hits] >= sight.wordings
        return hits if crowd and slot not in self._seen else slot

    def _counts(self, key: bytes, hits: Hits, sight: Sight) -> _Seen:
        """What a line is counted in, new where none of its kind was seen."""
        if (seen := self._seen.get(key)) and seen.hits == hits:
            return seen
        slot = self._slot(hits, key, sight)
        if slot not in self._seen:
            self._wordings[hits] += 1
            called = key if slot is key else repr(slot).encode()
            aside = sight.limit <= READ_WORDS and slot is not hits and told_by_pass(key)
            seen = _Seen(key=called, hits=hits, calm=sight.calm, noted=sight.noted, over=aside, flood=aside)
            seen.tries = counts_tries(key)
            self._seen[slot] = seen
        return self._seen[slot]

    def settle(self, flat: bytes, number: int) -> None:
        """A block ends, whose first line has this number: what was only counted in it gets the number of its last."""
        found: list[Tally] = [one for one in self._seen.values() if one.place >= 0]
        found += [one for one in self._stacks.found.values() if one.place >= 0]
        counted = 0
        for one in sorted(found, key=lambda one: one.place):
            number += flat.count(b"\n", counted, one.place)
            counted, one.last, one.place = one.place, number, -1

    def counted(self) -> set[str]:
        """The templates of which lines were counted, or may be."""
        lines = (key for stack in self._stacks.found.values() for key, _ in stack.lines)
        return {name(key) for key in (*(one.key for one in self._seen.values()), *lines)}

    def skipped(self) -> dict[str, tuple[int, int]]:
        """How many lines of each template were only counted, and where the last one stands."""
        found = {one.key: (one.count, one.last) for one in self._seen.values() if one.count}
        for key, count, last in self._stacks.skipped():
            before = found.get(key, (0, 0))
            found[key] = before[0] + count, max(before[1], last)
        return {name(key): counted for key, counted in found.items()}


def name(key: bytes) -> str:
    """A template as the events of its lines name it."""
    return key.decode("latin-1")
