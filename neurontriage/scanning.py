"""One multi-pattern pass over whole blocks; lines are cut only around hits.

Hyperscan matches all patterns at once in linear time.  Where its wheel is missing, a slower search with the
same results takes its place.  Patterns come from the grammars and from the knowledge entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from neurontriage.model import Line

LONGEST_PIECE = 32 << 10
_BEFORE, _AFTER = 20 << 10, 10 << 10

Hit = tuple[int, int]


class Pattern(NamedTuple):
    """What to look for. `follow`: how many lines after the hit belong to it and are cut too."""

    text: str
    follow: int = 0


class Engine(Protocol):
    """Finds patterns in a block."""

    def scan(self, block: bytes) -> list[Hit]:
        """All (end offset, pattern number), at least one per pattern and line that holds it, sorted."""


class Hyperscan:
    """The linear-time engine; `serialized` is what `dump` gave for the same patterns on this machine."""

    def __init__(self, patterns: Sequence[Pattern], serialized: bytes | None = None) -> None:
        import hyperscan

        if serialized is not None:
            self._database = hyperscan.loadb(serialized, mode=hyperscan.HS_MODE_BLOCK)
            self._database.scratch = hyperscan.Scratch(self._database)
        else:
            self._database = hyperscan.Database()
            flags = hyperscan.HS_FLAG_MULTILINE
            self._database.compile(
                expressions=[p.text.encode() for p in patterns],
                ids=list(range(len(patterns))),
                elements=len(patterns),
                flags=[flags] * len(patterns),
            )

    def dump(self) -> bytes:
        """The compiled database for the cache; valid for this processor's instruction set only."""
        import hyperscan

        return bytes(hyperscan.dumpb(self._database))

    def scan(self, block: bytes) -> list[Hit]:
        hits: set[Hit] = set()
        add = hits.add

        def matched(number: int, _start: int, end: int, _flags: int, _context: Any) -> None:
            add((end, number))

        self._database.scan(block, match_event_handler=matched)
        return sorted(hits)


class Stepwise:
    """The fallback: each pattern on each line, with `re`."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._patterns = [re.compile(p.text.encode(), re.MULTILINE) for p in patterns]

    def scan(self, block: bytes) -> list[Hit]:
        hits: list[Hit] = []
        start = 0
        for line in block.splitlines(keepends=True) if b"\r" not in block else _pieces(block):
            for number, pattern in enumerate(self._patterns):
                found = pattern.search(line)
                if found:
                    hits.append((start + max(found.end(), 1), number))
            start += len(line)
        return sorted(hits)


def _pieces(block: bytes) -> list[bytes]:
    return re.findall(rb"[^\r\n]*(?:\r?\n|\r|$)", block)


def engine_for(patterns: Sequence[Pattern], serialized: bytes | None = None) -> Engine:
    """Hyperscan where its wheel is installed and takes the stored database, else what works."""
    try:
        import hyperscan
    except ImportError:
        return Stepwise(patterns)
    if serialized is not None:
        try:
            return Hyperscan(patterns, serialized)
        except hyperscan.error:
            pass
    return Hyperscan(patterns)


class Cutter:
    """Blocks of one log → the lines around hits, in order; counts lines and bytes on the way."""

    def __init__(self, path: str, engine: Engine, patterns: Sequence[Pattern]) -> None:
        self.path = path
        self.lines = 0
        self.bytes = 0
        self._engine = engine
        self._follow = [p.follow for p in patterns]
        self._pending = 0
        self._open_end = True

    def cut(self, blocks: Iterable[bytes]) -> Iterator[Line]:
        """Yield every hit line and the lines that follow it as far as a pattern asks for."""
        for block in blocks:
            yield from self._cut_block(block)
            self.bytes += len(block)
            self.lines += block.count(b"\n")
            self._open_end = not block.endswith(b"\n")
        if self._open_end and self.bytes:
            self.lines += 1

    def _cut_block(self, block: bytes) -> Iterator[Line]:
        number, counted, position = self.lines + 1, 0, 0
        for start, end, hits in _merged(block, self._engine.scan(block)):
            for piece_start, piece_end in self._following(block, position, start):
                number += block.count(b"\n", counted, piece_start)
                counted = piece_start
                yield self._line(block[piece_start:piece_end], number, ())
            number += block.count(b"\n", counted, start)
            counted = start
            position = end
            self._pending = max(self._pending, *(self._follow[hit] for hit in hits))
            yield self._line(block[start:end], number, hits)
        for piece_start, piece_end in self._following(block, position, len(block)):
            number += block.count(b"\n", counted, piece_start)
            counted = piece_start
            yield self._line(block[piece_start:piece_end], number, ())

    def _following(self, block: bytes, position: int, limit: int) -> Iterator[tuple[int, int]]:
        while self._pending and position < limit:
            start = position + 1 if block[position : position + 1] in (b"\n", b"\r") else position
            if start >= limit:
                return
            end = _end(block, start)
            if end > start:
                self._pending -= 1
                yield start, end
            position = max(end, start + 1) if end == start else end

    def _line(self, raw: bytes, number: int, hits: tuple[int, ...]) -> Line:
        return Line(self.path, number, raw[:LONGEST_PIECE].decode("utf-8", "replace"), hits)


def _end(block: bytes, start: int) -> int:
    feed = block.find(b"\n", start)
    feed = len(block) if feed < 0 else feed
    back = block.find(b"\r", start, feed)
    return feed if back < 0 else back


def _merged(block: bytes, hits: list[Hit]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Hits → (start, end, pattern numbers) of the pieces they touch; a very long piece is cut around its hits."""
    start = end = -1
    numbers: dict[int, None] = {}
    for offset, number in hits:
        at = max(offset - 1, 0)
        if at >= end or start < 0:
            if numbers:
                yield start, end, tuple(numbers)
            line = block.rfind(b"\n", 0, at) + 1
            start = max(line, block.rfind(b"\r", line, at) + 1)
            end = _end(block, at)
            if end - start > LONGEST_PIECE:
                start, end = max(start, at - _BEFORE), min(end, at + _AFTER)
            numbers = {}
        numbers[number] = None
    if numbers:
        yield start, end, tuple(numbers)
