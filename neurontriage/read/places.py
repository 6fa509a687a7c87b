"""Where the lines that are read of a log stand in its file, if not where they are read."""

from __future__ import annotations

from array import array


class Places:
    """`lines`: the number of each line that is read. `count` and `bytes`: how much the file has.

    `turned`: it is read from its end.
    """

    def __init__(self, lines: array[int], count: int, size: int, turned: bool) -> None:
        self.lines, self.count, self.bytes, self.turned = lines, count, size, turned

    def place(self, line: int) -> int:
        """The number of a line as `grep -n` counts it."""
        return self.lines[line - 1] if 0 < line <= len(self.lines) else self.count


class Arranged(bytes):
    """The first block of such a log."""

    places: Places
