"""Which lines of a log were read as several, and so which of its lines each line that was read stands in."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import accumulate


class Folds:
    """`lines`: the numbers (from 1) of lines in which others stood, counted with all that were read.

    `more`: how many lines more than one each of them was read as.
    """

    def __init__(self) -> None:
        self.lines, self.more = array("q"), array("q")
        self._above = list[int]()

    def __len__(self) -> int:
        return len(self.lines)

    def add(self, line: int, more: int) -> None:
        """Note the next one."""
        self.lines.append(line)
        self.more.append(more)

    def take(self, later: Folds, lines: int) -> None:
        """Take in those of the next part of the log; `lines` stand before it."""
        self.lines.extend(line + lines for line in later.lines)
        self.more.extend(later.more)

    def place(self, line: int) -> int:
        """The number of a line as `grep -n` counts it."""
        if (at := bisect_right(self.lines, line) - 1) < 0:
            return line
        if len(self._above) != len(self.lines) + 1:
            self._above = [0, *accumulate(self.more)]
        return line - self._above[at] - min(line - self.lines[at], self.more[at])

    def within(self, line: int) -> bool:
        """Whether a line stood in another one, behind its beginning."""
        at = bisect_right(self.lines, line) - 1
        return at >= 0 and 0 < line - self.lines[at] <= self.more[at]
