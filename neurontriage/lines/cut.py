"""Blocks of a log → its lines, cut only around hits; what comes again and again is counted before a line is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from neurontriage.expressions import expression
from neurontriage.lines.digits import ALIKE
from neurontriage.lines.finder import LONGEST_PIECE, Finder, Found, Span
from neurontriage.lines.flood import Every, Repeats, name
from neurontriage.lines.scan import Pattern
from neurontriage.lines.streams import ABOVE, Streams, unmarked
from neurontriage.lines.templates import BELOW, NOTED, Sorts, untouched
from neurontriage.lines.wrap import Wraps
from neurontriage.model import Line

# Of a log of so few lines every line is read; of a longer one the last few, for what it broke off in.
SHORT, TAIL = 60, 3
NEAR = 20
"""Lines from the end of a log in which it says how it ended."""
_AROUND = 4 * NEAR  # blank lines may stand between them
_TRACEBACK = b"Traceback (most"
_BARS = 20_000
"""A log with so many carriage returns is not short, however few lines they part."""
_SHORT_BYTES = 2 << 20
"""Nor is one of so many bytes, which may be one line without an end: as much is held until the length is known."""
_TEXT = expression(rb"[^\n]+")
# A line that begins with a time says something of its own: nothing that was printed without one goes on in it.
_TIMED = expression(rb"(?:\[?[Rr]ank ?\d+\]?: ?)?[\[(]?\d{4}-(?:\d\d|[A-Z][a-z]{2})-\d\d[T ]\d\d:\d\d:\d\d")
_END = 16 << 10
"""Bytes in which the last lines of a block are looked for first."""
_SCANNED = 1 << 18
"""Bytes that are scanned at once: what is found in them is held in memory."""


class Around(bytes):
    """A block that stands before or after what is read: its lines are cut, and nothing of it is counted."""


class Cutter:
    """Blocks of one log → the lines around hits, in order; counts lines and bytes on the way.

    `repeats`: what thins floods; without it every line with a hit is cut.
    """

    def __init__(
        self, path: str, finder: Finder, patterns: Sequence[Pattern], repeats: Repeats | None = None, head: bytes = b""
    ) -> None:
        self.path = path
        self.lines = 0
        self.bytes = 0
        self._finder = finder
        self._every = repeats.every if repeats else Every(Sorts(follow=[pattern.follow for pattern in patterns]))
        self._repeats = repeats or self._every
        self._pending = 0
        self._timed = False
        self._newest = 0
        self._read = [0] * _AROUND
        self._last: list[tuple[int, bytes]] = []
        self._open_end = True
        self._wraps = Wraps()
        self._streams = Streams()
        self._head = head

    def cut(self, blocks: Iterable[bytes]) -> Iterator[Line]:
        """Yield every hit line, the lines that follow it as far as a pattern asks for, and the log's last lines."""
        for (whole, short), ahead in _ahead(_with_length(blocks)):
            repeats = self._every if isinstance(whole, Around) else self._repeats
            self._streams.begin(self._head or whole)
            for block, below in _parts(self._wraps.joined(whole, self.lines), ahead):
                marked = self._streams.marked(block, below)
                for line in self._cut_block(marked, 0 if short else len(marked), repeats):
                    self._newest = line.number
                    self._read[line.number % _AROUND] = line.number
                    yield line
                self._keep(block)
                self._open_end = not block.endswith(b"\n")
            self.bytes += len(whole)
        if self._open_end and self.bytes:
            self.lines += 1
        for number, raw in self._last[-TAIL:]:
            if number > self._newest:
                yield self._below(raw, number, wanted=True)

    def tail(self) -> list[tuple[int, str]]:
        """The last lines that are not blank, each with its number, whether or not a pattern was found in them."""
        return [(number, raw.decode("utf-8", "replace")) for number, raw in self._last]

    def unread(self) -> frozenset[int]:
        """The numbers of those of the last lines that were not given to read."""
        return frozenset(number for number, _ in self._last[:-TAIL] if self._read[number % _AROUND] != number)

    def _keep(self, block: bytes) -> None:
        """The last lines so far, each with its number: of the whole log, wherever its blocks end."""
        end = block[-_END:]
        found = list(islice(_upwards(end, self.lines + 1), NEAR + 1))
        if len(found) <= NEAR and len(end) < len(block):  # its last lines are long, or blank ones stand between
            found = list(islice(_upwards(block, self.lines + 1), NEAR))
        self._last += reversed(found[:NEAR])
        del self._last[:-NEAR]

    def _cut_block(self, block: bytes, wanted: int, repeats: Repeats | Every) -> Iterator[Line]:
        number, counted, position = self.lines + 1, 0, 0
        flat = block.replace(b"\r", b"\n")  # a progress bar's carriage returns part texts, but do not count as lines
        found = self._finder.found(flat, repeats.counting(flat))
        below = partial(self._following, flat, found)
        repeats.pending, repeats.short = self._pending > 0, wanted < len(flat)
        for start, end, hits, known, follow in repeats.picked(flat, found.pieces):
            if self._pending or wanted < start:
                for first, last in below(position, start, wanted):
                    number += block.count(b"\n", counted, first)
                    counted = first
                    yield self._below(block[first:last], number, wanted=first >= wanted)
            position = end
            if known is not None:
                number += block.count(b"\n", counted, start)
                counted = start
                if follow == BELOW:
                    self._pending = max(self._pending - 1, 0)
                elif follow:
                    self._pending = max(self._pending, follow)
                    self._timed = _TIMED.match(flat, start) is not None
                line = self._line(block[start:end], number, hits, name(known))
                yield line._replace(passed=True) if repeats.passed else line
            elif self._tells(flat, start, follow):
                number += block.count(b"\n", counted, start)
                counted = start
                raw = block[start:end]
                yield self._noted(raw, number, hits) if follow == NOTED else self._below(raw, number, wanted=False)
            repeats.pending = self._pending > 0
        for first, last in below(position, len(flat), wanted):
            number += block.count(b"\n", counted, first)
            counted = first
            yield self._below(block[first:last], number, wanted=first >= wanted)
        repeats.settle(block, self.lines + 1)
        if found.last >= 0:  # it may have been only counted
            last = max(counted, found.last, repeats.ended)
            number += block.count(b"\n", counted, last)
            self._newest, counted = max(self._newest, number), last
        self.lines = number - 1 + block.count(b"\n", counted)

    def _tells(self, flat: bytes, start: int, follow: int) -> bool:
        """Whether a line that is only counted says something all the same: it goes on with one above, or is noted."""
        if follow == BELOW and self._pending:
            self._pending -= 1
            return self._timed or not _TIMED.match(flat, start)
        return follow == NOTED

    def _following(self, flat: bytes, among: Found, position: int, limit: int, wanted: int) -> Iterator[Span]:
        """The next texts that a hit before them asked for (blank ones do not count), and all from `wanted` on."""
        while self._pending or wanted < limit:
            if not self._pending:
                position = max(position, wanted)
            found = _TEXT.search(flat, position, limit)
            if found is None:
                return
            position = found.end()
            counted = among.quiet.get(found[0].translate(ALIKE)) if among.quiet else None
            if counted is not None and not counted.calm:
                continue
            self._pending = max(self._pending - 1, 0)
            if found.start() < wanted and not self._timed and _TIMED.match(flat, found.start()):
                continue
            yield found.start(), min(found.end(), found.start() + LONGEST_PIECE)

    def _line(self, raw: bytes, number: int, hits: tuple[int, ...], known: str) -> Line:
        text, own = unmarked(raw[:LONGEST_PIECE].decode("utf-8", "replace"))
        return Line(self.path, number, text, hits, known, end=self._wraps.ends.get(number, number), own=own)

    def _noted(self, raw: bytes, number: int, hits: tuple[int, ...]) -> Line:
        """A line of which many were read, and which is only noted."""
        text, own = unmarked(raw[:LONGEST_PIECE].decode("utf-8", "replace"))
        return Line(self.path, number, text, hits, own=own, noted=True)

    def _below(self, raw: bytes, number: int, wanted: bool) -> Line:
        """A line in which no pattern was found."""
        line = self._line(raw, number, (), name(untouched(raw)))
        return line._replace(wanted=True) if wanted else line


def _upwards(block: bytes, number: int) -> Iterator[tuple[int, bytes]]:
    """The lines of a block that are not blank, the last one first; `number`: of the line that begins behind it."""
    for line in reversed(block.split(b"\n")):
        if text := line.rstrip():
            yield number, text.rpartition(b"\r")[2][:LONGEST_PIECE]
        number -= 1


def _ahead(parts: Iterable[tuple[bytes, bool]]) -> Iterator[tuple[tuple[bytes, bool], bytes]]:
    """Each block, and the start of the next one where a traceback may go on in it; Ctrl-C loses no block."""
    held: tuple[bytes, bool] | None = None
    try:
        for one in parts:
            if held is not None:
                yield held, one[0][:ABOVE]
            held = one if _TRACEBACK in one[0][-ABOVE:] else None
            if held is None:
                yield one, b""
    except KeyboardInterrupt:
        if held is not None:
            yield held, b""
        raise
    if held is not None:
        yield held, b""


def _parts(block: bytes, ahead: bytes) -> Iterator[tuple[bytes, bytes]]:
    """A block in parts that end with a line, each with the start of the next where a traceback may go on in it."""
    start = 0
    while len(block) - start > _SCANNED:
        end = block.rfind(b"\n", start, start + _SCANNED) + 1 or block.find(b"\n", start + _SCANNED) + 1 or len(block)
        yield block[start:end], block[end : end + ABOVE] if _TRACEBACK in block[max(end - ABOVE, 0) : end] else b""
        start = end
    yield (block[start:] if start else block), ahead


def _more(block: bytes, sign: bytes, most: int) -> bool:
    """Whether a sign stands more than so often in a block."""
    return block.count(sign, 0, _END) > most or (len(block) > _END and block.count(sign) > most)


def _with_length(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Each block, and whether it is the whole of a log so short that every line is read; Ctrl-C loses no block."""
    held: bytes | None = b""
    try:
        for block in blocks:
            if held is None or isinstance(block, Around):
                if held:
                    yield held, False
                held = None
                yield block, False
                continue
            held += block
            if len(held) > _SHORT_BYTES or _more(held, b"\n", SHORT) or _more(held, b"\r", _BARS):
                yield held, False
                held = None
    except KeyboardInterrupt:
        if held:
            yield held, True
        raise
    if held:
        yield held, True
