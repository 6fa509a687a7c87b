"""What the last lines of a log say, whether they were read or only counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from operator import itemgetter

from neurontriage.lines.cut import TAIL
from neurontriage.model import Said, sort_of

Told = tuple[int, str]
"""The number of a line and its template."""


@dataclass(eq=False, repr=False)
class Tails:
    """Of each log the last lines that say anything, with their numbers in the part of it that was read."""

    of: dict[str, list[tuple[int, Said]]] = field(default_factory=dict)

    def add(self, path: str, line: int, said: Said) -> None:
        """The next line of a log."""
        tail = self.of.setdefault(path, [])
        tail.append((line, said))
        del tail[:-TAIL]

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
            sorts = ((line, sort_of(said.kind, said.words, said.size, said.level)) for line, said in tail)
            self.of[path] = [*self.of.get(path, ()), *sorts][-TAIL:]

    def told(self, path: str) -> tuple[Said, ...]:
        """What the last lines of a log say, in their order."""
        return tuple(said for _, said in self.of.get(path, ()))
