r"""Blocks of a log with the lines that others hold as one escaped text, each on a line of its own; notes where.

Most lines hold no `\n` of two signs, and most that do hold one: both are asked of a whole block at once.
"""

from __future__ import annotations

from neurontriage.expressions import expression
from neurontriage.lines.escaped import opened
from neurontriage.lines.folds import Folds
from neurontriage.read.encoding import plain

_SIGN = b"\\n"
_SEVERAL = expression(rb"\\n[^\n]*\\n")
_MOST = 1 << 16
"""Lines of a slice that are read as several: beyond them is what a program prints all the time."""
_MOST_ASKED, _LONG = 1000, 1 << 10
"""Lines of a slice that hold no others, after which only longer ones are asked: a program prints them all the time."""


class Unfolder:
    """Opens the lines of one slice of a log, block by block. `folds`: which they were."""

    def __init__(self) -> None:
        self.folds = Folds()
        self._left = _MOST_ASKED

    def unfolded(self, block: bytes, above: int = 0) -> bytes:
        """The block with its lines opened, or itself; `above` lines, as they were given, stand before it."""
        if b"\\" not in block or _SIGN not in block or len(self.folds) >= _MOST:  # one byte is sought at once
            return block
        pieces, done, place, number = list[bytes](), 0, 0, above + 1
        while found := _SEVERAL.search(block, place):
            start = block.rfind(b"\n", place, found.start()) + 1 or place
            place = block.find(b"\n", found.end()) + 1 or len(block)
            line = block[start:place].rstrip(b"\r\n")
            if self._left <= 0 and len(line) < _LONG:
                continue
            if (inner := opened(line, alone=2 * len(line) >= len(block))) is None:
                self._left -= 1
                continue
            number += block.count(b"\n", done, start)
            self.folds.add(number, len(inner) - 1)
            number += len(inner) - 1
            pieces += block[done:start], plain(b"\n".join(inner))
            done = start + len(line)
        return b"".join((*pieces, block[done:])) if pieces else block
