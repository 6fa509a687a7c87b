"""What the last lines of a log say, whether they were read or only counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from operator import itemgetter

from neurontriage import stored
from neurontriage.lines.cut import TAIL
from neurontriage.model import Said, sort_of

Told = tuple[int, str]
"""The number of a line and its template."""


@dataclass(eq=False, repr=False)
class Tails:
    """Of each log the last lines that say anything, with their numbers in the part of it that was read."""

    of: MutableMapping[str, Sequence[tuple[int, Said]]] = field(default_factory=dict)

    def add(self, path: str, line: int, said: Said) -> None:
        """The next line of a log."""
        if not isinstance(tail := self.of.get(path), list):
            tail = list(tail or ())
        late = tail and line < tail[-1][0]  # read afterwards
        tail.append((line, said))
        if late:
            tail.sort(key=itemgetter(0))
        del tail[:-TAIL]
        self.of[path] = tail  # which may be held in another form

    def counted(self, path: str, known: Mapping[str, Said], ends: Iterable[Told], lasts: Iterable[Told]) -> None:
        """Lines that were only counted, because others like them had been read, whose templates are `known`.

        `ends`: the last lines of the log, from its end; no more of them are asked for than count. `lasts`: the last
        line of each template.
        """
        told = islice((one for one in ends if one[1] in known), TAIL)
        both = {line: known[template] for line, template in (*told, *lasts)} | dict(self.of.get(path, ()))
        self.of[path] = sorted(both.items(), key=itemgetter(0))[-TAIL:]

    def take(self, later: Tails) -> None:
        """Take in the part of the incident that comes next; of thousands of logs no more is held than the sorts."""
        for path, tail in later.of.items():
            self.of[path] = _sorts(_told((*self.of.get(path, ()), *tail)[-TAIL:]))

    def told(self, path: str) -> tuple[Said, ...]:
        """What the last lines of a log say, in their order."""
        return tuple(said for _, said in self.of.get(path, ()))


def _told(tail: Sequence[tuple[int, Said]]) -> tuple[tuple[str, frozenset[str], int, str], ...]:
    return tuple((said.kind, said.words, said.size, said.level) for _, said in tail)


def packed_tail(tail: Sequence[tuple[int, Said]]) -> bytes:
    """The last lines of a log without their numbers, as bytes."""
    return stored.packed(_told(tail))


def unpacked_tail(small: bytes) -> Sequence[tuple[int, Said]]:
    """What was packed."""
    return _sorts(stored.unpacked(small))


@lru_cache(maxsize=1024)
def _sorts(tail: tuple[tuple[str, frozenset[str], int, str], ...]) -> tuple[tuple[int, Said], ...]:
    """The last lines of logs say the same: each tail is held once, without the numbers of its lines."""
    return tuple(map(_sort, tail))


@lru_cache(maxsize=1024)
def _sort(sort: tuple[str, frozenset[str], int, str]) -> tuple[int, Said]:
    return 0, sort_of(*sort)
