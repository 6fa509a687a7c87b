"""Rows of a log: what each carries, when it was, and in which lines of the file it stands."""

from __future__ import annotations

from typing import NamedTuple

LEAST = 3
"""Rows that show a form."""
SHARE = 0.9
"""How many of the lines of a form are its rows."""
Numbered = tuple[int, bytes]
"""A line, and its number in the file."""


class Row(NamedTuple):
    """What one row carries, and its time (`order.stamp`); b"" for none."""

    time: bytes
    lines: list[Numbered]


class Opened(NamedTuple):
    """The rows of a log, and what stands above and below them."""

    above: list[Numbered]
    rows: list[Row]
    below: list[Numbered]

    def goes_on(self, number: int, line: bytes) -> None:
        """Add a line that is no row: it goes on with the row above it."""
        (self.rows[-1].lines if self.rows else self.above).append((number, line))

    def lines(self) -> list[Numbered]:
        """All lines, in the order in which they are read."""
        return [*self.above, *(line for row in self.rows for line in row.lines), *self.below]


def split(text: str) -> list[bytes]:
    """The lines of a text that a row carries, at least one."""
    return [one.removesuffix(b"\r") for one in encoded(text.rstrip("\r\n")).split(b"\n")]


def encoded(text: str) -> bytes:
    """A text as bytes, those that were no text as they were."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")
