"""Thins floods: of lines that differ in numbers only, the first few are read, the others are counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from neurontriage.model import Line

READ, READ_WORDS = 10, 2
_MOST_TEMPLATES = 10_000
_NUMBER = re.compile(r"\d+")
_RANK = re.compile(r"\[?rank ?\d+")


class Repeats:
    """Counts lines by template. Lines that an `ordered` scan pattern touched always pass: their order has a meaning.

    Of lines in which only `words` were found, words that a line about a failure may hold, fewer are read.
    """

    def __init__(self, ordered: Collection[int], words: Collection[int] = ()) -> None:
        self._ordered, self._words = frozenset(ordered), frozenset(words)
        self.seen: Counter[str] = Counter()
        self.last: dict[str, tuple[int, int]] = {}

    def thin(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Pass lines on with their template, but only the first READ of each."""
        for line in lines:
            if not line.hits or line.wanted or not self._ordered.isdisjoint(line.hits):
                yield line
                continue
            template = self._template(line)
            self.seen[template] += 1
            if self.seen[template] <= (READ_WORDS if self._words.issuperset(line.hits) else READ):
                yield replace(line, template=template)
            else:
                self.last[template] = self.last.get(template, (0, 0))[0] + 1, line.number

    def _template(self, line: Line) -> str:
        """The line without its numbers, but with its rank and log, so that no rank is lost.

        After a flood of lines that are all different, only what the scanner saw in them tells them apart.
        """
        rank = _RANK.match(line.text)
        crowded = len(self.seen) > _MOST_TEMPLATES
        said = str(line.hits) if crowded else _NUMBER.sub("#", line.text[:400])
        return f"{line.path} {rank.group() if rank else ''} {said}"

    def skipped(self) -> dict[str, tuple[int, int]]:
        """How many lines of each template were only counted, and where the last one stands."""
        return self.last
