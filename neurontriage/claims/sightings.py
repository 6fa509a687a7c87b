"""Where each log, or each rank in it, said a thing first: of thousands of logs, in little room."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import overload

from neurontriage.model import Sighting

Where = str | tuple[str, int]
"""A log, or a rank in it."""
_NONE, _NO_NUMBERS = -1, array("I")
_MANY, _LAST = 64, (1 << 32) - 1
"""Of so many it is worth it to hold them in columns, and the last line that has room there."""


@lru_cache(maxsize=512)
def where_of(path: str, rank: int | None) -> Where:
    """Each is held once: in a log many things are said."""
    return path if rank is None else (path, rank)


class Sightings(Sequence[Sighting]):
    """The first of each rank of each log, in their order. `first`: the lines, by log, or by log and rank.

    Of many logs those of all but the latest are held in columns: log, rank (-1 for none), line.
    """

    __slots__ = ("_lines", "_logs", "_ranks", "_times", "first")

    def __init__(self, some: Iterable[Sighting] = ()) -> None:
        self.first: dict[Where, int] = {}
        self._times = array("d")
        self._logs: list[str] | None = None
        self._ranks = self._lines = _NO_NUMBERS
        for one in some:
            self.add(one)

    def add(self, one: Sighting) -> None:
        """Take one in, unless its rank has one in its log."""
        if not self._has(where := where_of(one.path, one.rank)):
            self.first[where] = one.line
            self._times.append(math.nan if one.time is None else one.time)

    def _has(self, where: Where) -> bool:
        """Whether one is held of a log, or of a rank in it."""
        if where in self.first or not self._logs:
            return where in self.first
        path, rank = (where, _NONE) if isinstance(where, str) else where
        if path > self._logs[-1]:
            return False
        at = bisect_left(self._logs, path)
        return rank in self._ranks[at : bisect_right(self._logs, path, at)]

    def _pack(self) -> None:
        """Put what is known so far into the columns, where logs come in the order of their names."""
        logs = [where if isinstance(where, str) else where[0] for where in self.first]
        if logs != sorted(logs) or (self._logs and self._logs[-1] > logs[0]):
            return
        if self._logs is None:
            self._logs, self._ranks, self._lines = [], array("i"), array("I")
        self._logs += logs
        self._ranks.extend(_NONE if isinstance(where, str) else where[1] for where in self.first)
        self._lines.extend(min(line, _LAST) for line in self.first.values())
        self.first = {}

    def take(self, later: Sightings, most: int, most_alone: int) -> None:
        """Take in those of a later part until there are so many; `most_alone`: of those without a rank."""
        for (path, rank, line), time in zip(later._all(), later._times, strict=True):
            where, room = where_of(path, rank), most_alone if rank is None else most
            if len(self._times) < room and not self._has(where):
                self.first[where] = line
                self._times.append(time)
        if (size := len(self.first)) >= _MANY and not size & (size - 1):
            self._pack()

    @property
    def ranks(self) -> set[int]:
        """The ranks that lines name."""
        return {where[1] for where in self.first if not isinstance(where, str)} | {*self._ranks} - {_NONE}

    def move(self, path: str, lines: int) -> None:
        """Let those of a log stand so many lines further down."""
        self.first = {
            where: line + lines * (path == (where if isinstance(where, str) else where[0]))
            for where, line in self.first.items()
        }
        for place, log in enumerate(self._logs or ()):
            self._lines[place] += lines * (log == path)

    def since(self, times: Mapping[str, float]) -> None:
        """Let those without a time have the last one that their log printed before."""
        if times and any(map(math.isnan, self._times)):
            for place, one in enumerate(self):
                if one.time is None and one.path in times:
                    self._times[place] = times[one.path]

    def __iter__(self) -> Iterator[Sighting]:
        for (path, rank, line), time in zip(self._all(), self._times, strict=True):
            yield Sighting(path, rank, line, None if math.isnan(time) else time)

    def _all(self) -> Iterator[tuple[str, int | None, int]]:
        for path, rank, line in zip(self._logs or (), self._ranks, self._lines, strict=True):
            yield path, None if rank == _NONE else rank, line
        for where, line in self.first.items():
            yield (where, None, line) if isinstance(where, str) else (*where, line)

    def __len__(self) -> int:
        return len(self._times)

    @overload
    def __getitem__(self, place: int) -> Sighting: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Sighting]: ...
    def __getitem__(self, place: int | slice) -> Sighting | Sequence[Sighting]:
        return next(iter(self)) if place == 0 and self._times else tuple(self)[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Sightings({list(self)})"
