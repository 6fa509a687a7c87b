"""One multi-pattern pass over whole blocks; lines are cut only around hits.

Hyperscan matches all patterns at once in linear time.  Where its wheel is missing, or its database not yet built, RE2
finds the same in the same lines, more slowly.  Patterns come from the grammars and from the knowledge entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol

from neurontriage.lines.linear import in_bytes
from neurontriage.lines.wrap import Wraps
from neurontriage.model import Line

# Longer lines are cut around their hits, which bounds what one hostile line costs a backtracking `re`.
LONGEST_PIECE = 4 << 10
_BEFORE, _AFTER = 2560, 1536
_AGAIN = 1 << 10
_PROBE = "neurontriage: is there memory"
# Of a log of so few lines every line is read; of a longer one the last few, for what it broke off in.
SHORT, TAIL = 60, 3
_TEXT = re.compile(rb"[^\n]+")

Hit = tuple[int, int]
Span = tuple[int, int]


class Pattern(NamedTuple):
    """What to look for. `follow`: how many lines after the hit belong to it and are cut too."""

    text: str
    follow: int = 0


class Engine(Protocol):
    """Finds patterns in a block."""

    def scan(self, block: bytes) -> list[Hit]:
        """All (end offset, pattern number), sorted: for each pattern the first in each line, in long lines more."""


class Hyperscan:
    """The linear-time engine; `serialized` is what `dump` gave for the same patterns on this machine."""

    def __init__(self, patterns: Sequence[Pattern], serialized: bytes | None = None) -> None:
        import hyperscan

        self._count = len(patterns)
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
        hits: list[Hit] = []
        add, find = hits.append, block.find
        passed = [0] * self._count

        def matched(number: int, _start: int, end: int, _flags: int, _context: Any) -> None:
            if end > passed[number]:
                feed = find(b"\n", end - 1, end + _AGAIN)
                passed[number] = end + _AGAIN if feed < 0 else feed + 1
                add((end, number))

        self._database.scan(block, match_event_handler=matched)
        return sorted(hits)


class Stepwise:
    """The fallback, and the engine until the database is built: RE2 filters the lines by literals, then looks closer.

    It is ready in a tenth of a second for thousands of patterns, where Hyperscan compiles for several.
    https://github.com/google/re2/blob/main/re2/filtered_re2.h
    """

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._texts = [pattern.text for pattern in patterns]
        self._filters = list(_filters(self._texts, 0))
        self._found: dict[int, re.Pattern[bytes]] = {}

    def scan(self, block: bytes) -> list[Hit]:
        hits: list[Hit] = []
        for start, possible in self._filters:
            if possible.Match(block, True):
                for line in _TEXT.finditer(block):
                    for number in possible.Match(line.group(), True) or ():
                        hits += self._ends(start + number, line)
        return sorted(hits)

    def _ends(self, number: int, line: re.Match[bytes]) -> Iterator[Hit]:
        passed = -1
        for found in self._compiled(number).finditer(line.group()):
            if found.end() > passed:
                passed = found.end() + _AGAIN
                yield line.start() + found.end(), number

    def _compiled(self, number: int) -> re.Pattern[bytes]:
        """The shortest match, as Hyperscan reports the first end."""
        return self._found.get(number) or self._found.setdefault(number, in_bytes(f"(?U){self._texts[number]}"))


def _filters(texts: Sequence[str], start: int) -> Iterator[tuple[int, Any]]:
    """(number of the first pattern, filter); several where one would not find its own literals for want of memory."""
    import re2

    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    found = re2.Filter()
    for text in (*texts, _PROBE):
        found.Add(text.encode(), options)
    try:
        found.Compile()
        sound = found.Match(_PROBE.encode(), True)  # nothing is found where its automaton has too little memory
    except re2.error:
        sound = None
    if sound or len(texts) < 2:
        yield start, found
    else:
        middle = len(texts) // 2
        yield from _filters(texts[:middle], start)
        yield from _filters(texts[middle:], start + middle)


class Cutter:
    """Blocks of one log → the lines around hits, in order; counts lines and bytes on the way."""

    def __init__(self, path: str, engine: Engine, patterns: Sequence[Pattern]) -> None:
        self.path = path
        self.lines = 0
        self.bytes = 0
        self._engine = engine
        self._follow = [p.follow for p in patterns]
        self._pending = 0
        self._newest = 0
        self._last: list[tuple[int, bytes]] = []
        self._open_end = True
        self._wraps = Wraps()

    def cut(self, blocks: Iterable[bytes]) -> Iterator[Line]:
        """Yield every hit line, the lines that follow it as far as a pattern asks for, and the log's last lines."""
        for whole, short in _with_length(blocks):
            block = self._wraps.joined(whole, self.lines)
            for line in self._cut_block(block, 0 if short else len(block)):
                self._newest = line.number
                yield line
            self._keep(block)
            self.bytes += len(whole)
            self.lines += block.count(b"\n")
            self._open_end = not block.endswith(b"\n")
        if self._open_end and self.bytes:
            self.lines += 1
        for number, raw in self._last[-TAIL:]:
            if number > self._newest:
                yield self._line(raw, number, (), True)

    def _keep(self, block: bytes) -> None:
        """The last lines so far, each with its number: of the whole log, wherever its blocks end."""
        number = self.lines + 1
        whole = block.rstrip()
        texts = whole.rsplit(b"\n", 2 * TAIL)[-2 * TAIL :]
        first = number + whole.count(b"\n") - len(texts) + 1
        if whole:
            pieces = [raw.rpartition(b"\r")[2][:LONGEST_PIECE] for raw in texts]
            self._last += [(place, raw) for place, raw in enumerate(pieces, first) if raw.strip()]
        del self._last[:-TAIL]

    def _cut_block(self, block: bytes, wanted: int) -> Iterator[Line]:
        number, counted, position = self.lines + 1, 0, 0
        flat = block.replace(b"\r", b"\n")  # a progress bar's carriage returns part texts, but do not count as lines
        for start, end, hits in chain(_merged(flat, self._engine.scan(flat)), [(len(flat), len(flat), ())]):
            for piece_start, piece_end in self._following(flat, position, start, wanted):
                number += block.count(b"\n", counted, piece_start)
                counted = piece_start
                yield self._line(block[piece_start:piece_end], number, (), piece_start >= wanted)
            if hits:
                number += block.count(b"\n", counted, start)
                counted, position = start, end
                self._pending = max(self._pending, *(self._follow[hit] for hit in hits))
                yield self._line(block[start:end], number, hits)

    def _following(self, flat: bytes, position: int, limit: int, wanted: int) -> Iterator[Span]:
        """The next texts that a hit before them asked for (blank ones do not count), and all from `wanted` on."""
        while self._pending or wanted < limit:
            if not self._pending:
                position = max(position, wanted)
            found = _TEXT.search(flat, position, limit)
            if found is None:
                return
            self._pending = max(self._pending - 1, 0)
            position = found.end()
            yield found.start(), min(found.end(), found.start() + LONGEST_PIECE)

    def _line(self, raw: bytes, number: int, hits: tuple[int, ...], wanted: bool = False) -> Line:
        text, end = raw[:LONGEST_PIECE].decode("utf-8", "replace"), self._wraps.ends.get(number, number)
        return Line(self.path, number, text, hits, wanted=wanted, end=end)


def _with_length(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Each block, and whether it is the whole of a log so short that every line is read; Ctrl-C loses no block."""
    held: bytes | None = b""
    try:
        for block in blocks:
            if held is None:
                yield block, False
                continue
            held += block
            if held.count(b"\n") > SHORT:
                yield held, False
                held = None
    except KeyboardInterrupt:
        if held:
            yield held, True
        raise
    if held:
        yield held, True


def _merged(flat: bytes, hits: list[Hit]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Hits → (start, end, pattern numbers) of the pieces they touch; a very long piece is cut around its hits."""
    start = end = -1
    numbers: dict[int, None] = {}
    for offset, number in hits:
        at = max(offset - 1, 0)
        if at >= end:
            if numbers:
                yield start, end, tuple(numbers)
            start, end = _piece(flat, at)
            numbers = {}
        numbers[number] = None
    if numbers:
        yield start, end, tuple(numbers)


def _piece(flat: bytes, at: int) -> Span:
    """The line around an offset, or as much of it as is looked at."""
    low, high = max(at - LONGEST_PIECE, 0), min(at + LONGEST_PIECE, len(flat))
    before, after = flat.rfind(b"\n", low, at), flat.find(b"\n", at, high)
    start, end = (before + 1 if before >= 0 else low), (after if after >= 0 else high)
    if end - start > LONGEST_PIECE:
        start, end = max(start, at - _BEFORE), min(end, at + _AFTER)
    return start, end
