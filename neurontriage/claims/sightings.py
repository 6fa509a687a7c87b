"""Where each log, or each rank in it, said a thing first: of thousands of logs, in little room."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import overload

from neurontriage.model import Sighting

Where = str | tuple[str, int]
"""A log, or a rank in it."""


@lru_cache(maxsize=4096)
def where_of(path: str, rank: int | None) -> Where:
    """Each is held once: in a log many things are said."""
    return path if rank is None else (path, rank)


class Sightings(Sequence[Sighting]):
    """The first of each rank of each log, in their order. `first`: the lines, by log, or by log and rank."""

    __slots__ = ("_times", "first")

    def __init__(self, some: Iterable[Sighting] = ()) -> None:
        self.first: dict[Where, int] = {}
        self._times = array("d")
        for one in some:
            self.add(one)

    def add(self, one: Sighting) -> None:
        """Take one in, unless its rank has one in its log."""
        if (where := where_of(one.path, one.rank)) not in self.first:
            self.first[where] = one.line
            self._times.append(math.nan if one.time is None else one.time)

    def take(self, later: Sightings, most: int, most_alone: int) -> None:
        """Take in those of a later part until there are so many; `most_alone`: of those without a rank."""
        for (where, line), time in zip(later.first.items(), later._times, strict=True):
            room = most_alone if isinstance(where, str) else most
            if where not in self.first and len(self._times) < room:
                self.first[where] = line
                self._times.append(time)

    @property
    def ranks(self) -> set[int]:
        """The ranks that lines name."""
        return {where[1] for where in self.first if not isinstance(where, str)}

    def move(self, path: str, lines: int) -> None:
        """Let those of a log stand so many lines further down."""
        self.first = {
            where: line + lines * (path == (where if isinstance(where, str) else where[0]))
            for where, line in self.first.items()
        }

    def since(self, times: Mapping[str, float]) -> None:
        """Let those without a time have the last one that their log printed before."""
        if times and any(map(math.isnan, self._times)):
            for place, one in enumerate(self):
                if one.time is None and one.path in times:
                    self._times[place] = times[one.path]

    def __iter__(self) -> Iterator[Sighting]:
        for (where, line), time in zip(self.first.items(), self._times, strict=True):
            path, rank = (where, None) if isinstance(where, str) else where
            yield Sighting(path, rank, line, None if math.isnan(time) else time)

    def __len__(self) -> int:
        return len(self._times)

    @overload
    def __getitem__(self, place: int) -> Sighting: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Sighting]: ...
    def __getitem__(self, place: int | slice) -> Sighting | Sequence[Sighting]:
        return next(iter(self)) if place == 0 and self.first else tuple(self)[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Sightings({list(self)})"
