"""The ranks of a run: told by prefixes and by the names of logs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, Protocol

from neurontriage.expressions import expression
from neurontriage.facts.clocks import Sample

_TORCHRUN = expression(r"(?:^|/)attempt_\d+/(\d{1,5})/(?:stdout|stderr)[^/]*$")  # its --log-dir; on one host
_MOST_WORLD = 1 << 20
# What launchers call the log of one process, or its folder; the number is its rank.
_NAMES = (
    expression(r"(?:^|[^a-z])rank[-_.= ]?(\d{1,6})(?!\d)", re.IGNORECASE),
    expression(r"(?:^|/)(?:stdout|stderr|worker|task|proc|process|trainer|std|log)[-_.]?(\d{1,6})(?:\.\w+)*$"),
    expression(r"(?:^|/)[\w.-]*?[-_.](?:worker|task|proc|process|trainer|w|t|r)[-_.]?(\d{1,6})(?:\.\w+)*$"),
)
# A mere number is a rank only beside others: alone it may be that of a job, or of a log that was rotated.
_NUMBERS = (
    expression(r"(?:^|/)[\w.-]*?\.(?:out|err|log)\.(\d{1,6})$"),  # mpirun --output-filename, per-rank suffixes
    expression(r"(?:^|/)(\d{1,6})\.(?:log|out|err|txt)$"),
)


class Where(Protocol):
    """A line, or something of which one is known: its log, and its rank if its own text says so."""

    @property
    def path(self) -> str: ...
    @property
    def rank(self) -> int | None: ...


class Cohort(NamedTuple):
    """Everybody in the run. `of`: the rank of a log that belongs to one rank; `known`: all ranks that were seen."""

    of: Mapping[str, int]
    known: frozenset[int]
    missing: frozenset[int] = frozenset()

    def rank(self, where: Where) -> int | None:
        """The rank that something belongs to."""
        return where.rank if where.rank is not None else self.of.get(where.path)


@lru_cache(maxsize=4096)
def rank_of(path: str, alone: bool = False) -> int | None:
    """The rank that the name of a log tells: `rank_00437.log`, `attempt_0/3/stderr.log`, `train.worker-7.out`.

    `alone`: it is not known whether others stand beside it, so that a mere number (`3.log`) tells none.
    """
    folder, _, own = path.rpartition("/")
    for part in (own, folder.rpartition("/")[2]):
        for name in _NAMES if alone else (*_NAMES, *_NUMBERS):
            if found := name.search(part):
                return int(found[1])
    local = _TORCHRUN.search(path)
    return int(local[1]) if local else None


def cohort(samples: Mapping[str, Sample]) -> Cohort:
    """The ranks of an incident. File names count only where they tell the logs apart; a printed world size, if sane."""
    named = {path: rank for path in samples if (rank := rank_of(path)) is not None}
    if len(named) < 2 or len(set(named.values())) < len(named):
        named = {}
    known = frozenset(named.values()) | {rank for sample in samples.values() for rank in sample.ranks}
    world = max((sample.world for sample in samples.values()), default=0)
    sane = len(known) > 1 and max(known) < world <= min(_MOST_WORLD, 64 * len(known))
    return Cohort(named, known, frozenset(range(world)) - known if sane else frozenset())


def ranges(ranks: Iterable[int]) -> str:
    """Ranks as people write them: `0-436, 438-999`."""
    found: list[tuple[int, int]] = []
    for rank in sorted(set(ranks)):
        if found and found[-1][1] == rank - 1:
            found[-1] = (found[-1][0], rank)
        else:
            found.append((rank, rank))
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in found)
