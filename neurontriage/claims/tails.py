"""What the last lines of a log say, whether they were read or only counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter

from neurontriage.lines.cut import TAIL
from neurontriage.model import Said, sort_of


@dataclass(eq=False, repr=False)
class Tails:
    """Of each log the last lines that say anything, with their numbers in the part of it that was read."""

    of: dict[str, list[tuple[int, Said]]] = field(default_factory=dict)

    def add(self, path: str, line: int, said: Said) -> None:
        """The next line of a log."""
        tail = self.of.setdefault(path, [])
        tail.append((line, said))
        del tail[:-TAIL]

    def counted(self, path: str, lines: Mapping[int, Said]) -> None:
        """Lines that were only counted, because others like them had been read."""
        both = {**lines, **dict(self.of.get(path, ()))}
        self.of[path] = sorted(both.items(), key=itemgetter(0))[-TAIL:]

    def take(self, later: Tails) -> None:
        """Take in the part of the incident that comes next; of thousands of logs no more is held than the sorts."""
        for path, tail in later.of.items():
            sorts = ((line, sort_of(said.kind, said.words, said.size, said.level)) for line, said in tail)
            self.of[path] = [*self.of.get(path, ()), *sorts][-TAIL:]

    def told(self, path: str) -> tuple[Said, ...]:
        """What the last lines of a log say, in their order."""
        return tuple(said for _, said in self.of.get(path, ()))
