"""A long log → slices that can be read apart, each with a little of what stands before and after it.

Where a log is cut depends on the log alone, so that the answer is the same for any number of workers.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from neurontriage.read.archives import packed
from neurontriage.read.encoding import PROBE, encoding_of, is_binary, plain
from neurontriage.read.inputs import BLOCK, Input, blocks, refused
from neurontriage.read.places import Arranged, Places

SLICE, MOST_SLICES = 32 << 20, 64
"""Bytes of a slice, and how many there are of a file, whose slices may be longer. Small ones cost time: floods are
thinned slice by slice."""
LEAD, TRAIL = 256 << 10, 64 << 10
HEAD = 8 << 10
"""How much of the beginning of its log a slice knows."""


class Span(NamedTuple):
    """A slice of a file: from its first line that starts at byte `begin` or later, up to the one for `end`.

    `low` and `high`: where a run of the file begins and ends, beyond which nothing is looked at. None: the file's end.
    """

    begin: int
    end: int | None
    low: int = 0
    high: int | None = None


@dataclass(eq=False, repr=False)
class Slice:
    """Whole lines of a log. `lead` and `trail` stand before and after them, and are only for understanding them.

    When `body` has been gone through, `size` is known, its bytes, `trail`, and `last`: what the next slice needs of it
    as its `lead`.
    `head`: the first bytes of its log, as far as they were read. `continues`: it is not the first slice of its log.
    `places`: where its lines stand in their file, if that is known.
    """

    body: Iterable[bytes]
    lead: bytes = b""
    trail: bytes = b""
    last: bytes = b""
    head: bytes = b""
    continues: bool = False
    size: int = 0
    places: Places | None = None


def sliced(content: Iterable[bytes], size: int = SLICE) -> Iterator[Slice]:
    """The blocks of a log → its slices; the body of one is gone through before the next is asked for."""
    rest = iter(content)
    ahead = deque(itertools.islice(rest, 1))
    one = Slice((), places=ahead[0].places if ahead and isinstance(ahead[0], Arranged) else None)
    while ahead or not one.continues:
        one.body = _body(one, ahead, rest, size)
        yield one
        one = Slice((), lead=one.last, head=one.head, continues=True)


def _body(one: Slice, ahead: deque[bytes], rest: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Blocks up to the size of a slice; leaves the next ones in `ahead`, and what the next slice needs in `last`."""
    last = one.lead
    while ahead:
        block = ahead.popleft()
        one.size += len(block)
        if len(one.head) < HEAD:
            one.head += block[: HEAD - len(one.head)]
        last = last[-LEAD:] + block[-LEAD:]
        yield block
        if not ahead:
            ahead.extend(itertools.islice(rest, 1))
        if one.size >= size and block.endswith(b"\n"):
            break
    one.trail = _upto(_ahead(ahead, rest))
    one.last = from_line(last[-LEAD:], len(last) > LEAD)


def _ahead(ahead: deque[bytes], rest: Iterator[bytes]) -> bytes:
    """The beginning of what comes next, however short the blocks are in which it comes."""
    size = sum(map(len, ahead))
    while ahead and size < TRAIL and (block := next(rest, None)) is not None:
        ahead.append(block)
        size += len(block)
    return b"".join(block[:TRAIL] for block in ahead)[:TRAIL]


def _upto(text: bytes) -> bytes:
    """The whole lines of what comes next; where less comes than was asked for, it is all that does."""
    return text if len(text) < TRAIL else text[: text.rfind(b"\n") + 1]


def from_line(text: bytes, cut: bool) -> bytes:
    """The whole lines of the end of something. `cut`: it may begin in the middle of one."""
    whole = text.partition(b"\n")[2] if cut else text
    return whole[: whole.rfind(b"\n") + 1]


def spans(one: Input) -> list[Span]:
    """The slices of a file of plain text that is long; nothing for all else, which is read from its beginning."""
    if one.size < 2 * SLICE or not plain_text(one):
        return []
    return cut(one, 0, None)


def cut(one: Input, low: int, high: int | None) -> list[Span]:
    """The slices of a part of a file, which begins and ends with a line, in bytes; None: with the end of the file."""
    size = (one.size if high is None else high) - low
    count = max(1, min(size // SLICE, MOST_SLICES))
    begins = [low + size * number // count for number in range(count)]
    return [Span(begin, end, low, high) for begin, end in zip(begins, [*begins[1:], high], strict=True)]


def plain_text(one: Input) -> bool:
    """Whether an input is a file whose bytes are those of its text."""
    if one.path is None or not one.path.is_file():
        return False
    try:
        with one.path.open("rb", buffering=PROBE) as stream:
            probe = stream.read(PROBE)
    except OSError:
        return False
    return not (packed(probe) or encoding_of(probe) or is_binary(probe))


def places(path: Path, lines: Sequence[int]) -> list[int]:
    """Where lines of a file begin, in bytes; `lines`: their numbers, from 1 and rising. Less where there are less."""
    found: list[int] = []
    number, offset = 1, 0
    with path.open("rb", buffering=0) as stream:
        while len(found) < len(lines) and (block := stream.read(BLOCK)):
            ends, at = block.count(b"\n"), 0
            while len(found) < len(lines) and lines[len(found)] <= number + ends:
                for _ in range(lines[len(found)] - number):
                    at = block.find(b"\n", at) + 1
                    ends -= 1
                number = lines[len(found)]
                found.append(offset + at)
            number, offset = number + ends, offset + len(block)
    return found


def slice_of(one: Input, span: Span) -> Slice:
    """One slice of a file. Its body raises TriageError where the file cannot be read."""
    found = Slice((), continues=span.begin > 0)
    found.body = _read(one, span, found)
    found.lead = next(found.body)
    return found


def _read(one: Input, span: Span, found: Slice) -> Iterator[bytes]:
    """First what stands before the slice, then its blocks."""
    assert one.path is not None
    try:
        with one.path.open("rb", buffering=PROBE) as stream:
            found.head = plain(stream.read(PROBE))[:HEAD]
            start = _line_at(stream, span.begin)
            end = None if span.end is None else _line_at(stream, span.end)
            before = min(start - span.low, LEAD)
            stream.seek(start - before)
            yield plain(from_line(stream.read(before), start - before > span.low))
            yield from blocks(_Limited(stream, None if end is None else end - start), one.name, found.continues)
            if end is not None and span.end != span.high:
                stream.seek(end)
                found.trail = plain(_upto(stream.read(TRAIL if span.high is None else min(TRAIL, span.high - end))))
    except OSError as error:
        raise refused(one.name, error) from error


def _line_at(stream: BinaryIO, offset: int) -> int:
    """Where the first line starts at or after an offset; the end of the file where there is none."""
    if not offset:
        return 0
    stream.seek(offset - 1)
    while piece := stream.read(PROBE):
        at = piece.find(b"\n")
        if at >= 0:
            return stream.tell() - len(piece) + at + 1
    return stream.tell()


class _Limited:
    """A stream of which no more than `left` bytes are read; None for all."""

    def __init__(self, stream: Any, left: int | None) -> None:
        self._stream, self._left = stream, left

    def read(self, size: int) -> bytes:
        """The next bytes of the slice, at most `size`; b"" at its end."""
        if self._left is None:
            return bytes(self._stream.read(size))
        data = bytes(self._stream.read(min(size, self._left)))
        self._left -= len(data)
        return data
