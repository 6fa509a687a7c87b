"""Counts what floods a log, on its bytes: of lines that differ in digits only, the first few become lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from neurontriage.lines.stacks import HEAD, Stack, Stacks
from neurontriage.lines.templates import MOST_TEMPLATES, Hits, Piece, Sights, Sorts, template

Passed = tuple[int, int, Hits, bytes | None, int]
"""Start and end of what was looked at, the patterns that touched it, its template (None: it was only counted), and how
many lines after it belong to it."""


@dataclass(slots=True)
class _Seen:
    """Lines of a template: how many there were, and how many of them were only counted.

    `place`: where the last one that was only counted starts in the block, -1 in none; `last`: its number.
    """

    key: bytes
    seen: int = 0
    count: int = 0
    place: int = -1
    last: int = 0


class Repeats:
    """Counts the lines of one log by template, and its tracebacks by what they print."""

    def __init__(self, sorts: Sorts) -> None:
        self._sights = Sights(sorts)
        self._stacks = Stacks(self._sights)
        self._seen: dict[bytes, _Seen] = {}

    def picked(self, flat: bytes, pieces: Sequence[Piece]) -> Iterator[Passed]:
        """Every piece, in order; a traceback that is only counted comes as one."""
        place, sights, known = 0, self._sights, self._sights.known
        while place < len(pieces):
            start, end, hits = pieces[place]
            raw, sight = flat[start:end], known.get(hits) or sights.of(hits)
            if sight.stack and HEAD in raw and (upto := self._stacks.counted(flat, pieces, place)) > place:
                yield start, pieces[upto - 1][1], (), None, 0
                place = upto
                continue
            place += 1
            key = template(raw)
            if sight.anchored:
                sight = sights.judged(raw, key, hits)
            if sight.limit is not math.inf:
                seen = self._seen.get(key) or self._new(key, hits)
                seen.seen += 1
                if seen.seen > sight.limit:
                    seen.count += 1
                    seen.place = start
                    yield start, end, hits, None, 0
                    continue
                key = seen.key
            yield start, end, hits, key, sight.follow

    def _new(self, key: bytes, hits: Hits) -> _Seen:
        """A new template. After a flood of lines that are all different, it is what was found in them."""
        if len(self._seen) > MOST_TEMPLATES:
            key = repr(hits).encode()
        return self._seen.setdefault(key, _Seen(key))

    def settle(self, flat: bytes, number: int) -> None:
        """A block ends, whose first line has this number: what was only counted in it gets the number of its last."""
        found: list[_Seen | Stack] = [one for one in self._seen.values() if one.place >= 0]
        found += [one for one in self._stacks.found.values() if one.place >= 0]
        counted = 0
        for one in sorted(found, key=lambda one: one.place):
            number += flat.count(b"\n", counted, one.place)
            counted, one.last, one.place = one.place, number, -1

    def skipped(self) -> dict[str, tuple[int, int]]:
        """How many lines of each template were only counted, and where the last one stands."""
        found = {key: (one.count, one.last) for key, one in self._seen.items() if one.count}
        for key, count, last in self._stacks.skipped():
            before = found.get(key, (0, 0))
            found[key] = before[0] + count, max(before[1], last)
        return {name(key): counted for key, counted in found.items()}


def name(key: bytes) -> str:
    """A template as the events of its lines name it."""
    return key.decode("latin-1")
