"""A long log → slices that can be read apart, each with a little of what stands before and after it.

Where a log is cut depends on the log alone, so that the answer is the same for any number of workers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from neurontriage.read.archives import PROBE, packed
from neurontriage.read.encoding import encoding_of, is_binary, plain
from neurontriage.read.inputs import Input, blocks, refused

SLICE, MOST_SLICES = 32 << 20, 64
"""Bytes of a slice, and how many there are of a file, whose slices may be longer. Small ones cost time: floods are
thinned slice by slice."""
LEAD, TRAIL = 256 << 10, 64 << 10
Span = tuple[int, int | None]
"""Where a slice of a file begins and ends, in bytes: at the next start of a line. None: at the end of the file."""


@dataclass
class Slice:
    """Whole lines of a log. `lead` and `trail` stand before and after them, and are only for understanding them.

    `trail` is known when `body` has been gone through, and `last`, what the next slice needs of it as its `lead`.
    `continues`: it is not the first slice of its log.
    """

    body: Iterable[bytes]
    lead: bytes = b""
    trail: bytes = b""
    last: bytes = b""
    continues: bool = False


def sliced(content: Iterable[bytes], size: int = SLICE) -> Iterator[Slice]:
    """The blocks of a log → its slices; the body of one is gone through before the next is asked for."""
    rest = iter(content)
    ahead: list[bytes] = list(itertools.islice(rest, 1))
    one = Slice(())
    while ahead or not one.continues:
        one.body = _body(one, ahead, rest, size)
        yield one
        one = Slice((), lead=one.last, continues=True)


def _body(one: Slice, ahead: list[bytes], rest: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Blocks up to the size of a slice; leaves the next one in `ahead`, and its own last lines in `last`."""
    seen, last = 0, b""
    while ahead:
        block = ahead.pop()
        seen += len(block)
        last = last[-LEAD:] + block[-LEAD:]
        yield block
        ahead += itertools.islice(rest, 1)
        if seen >= size and block.endswith(b"\n"):
            break
    one.trail = _upto(ahead[0][:TRAIL]) if ahead else b""
    one.last = _from_line(last[-LEAD:], len(last) > LEAD)


def _upto(text: bytes) -> bytes:
    """The whole lines of the beginning of something."""
    return text[: text.rfind(b"\n") + 1]


def _from_line(text: bytes, cut: bool) -> bytes:
    """The whole lines of the end of something. `cut`: it may begin in the middle of one."""
    return text[text.find(b"\n") + 1 :] if cut else text


def spans(one: Input) -> list[Span]:
    """The slices of a file of plain text that is long; nothing for all else, which is read from its beginning."""
    count = min(one.size // SLICE, MOST_SLICES)
    if count < 2 or one.path is None or not _plain_text(one.path):
        return []
    starts = [one.size * number // count for number in range(count)]
    return list(zip(starts, [*starts[1:], None], strict=True))


def _plain_text(path: Path) -> bool:
    try:
        with path.open("rb", buffering=PROBE) as stream:
            probe = stream.read(PROBE)
    except OSError:
        return False
    return not (packed(probe) or encoding_of(probe) or is_binary(probe))


def slice_of(one: Input, span: Span) -> Slice:
    """One slice of a file. Its body raises TriageError where the file cannot be read."""
    found = Slice((), continues=span[0] > 0)
    found.body = _read(one, span, found)
    found.lead = next(found.body)
    return found


def _read(one: Input, span: Span, found: Slice) -> Iterator[bytes]:
    """First what stands before the slice, then its blocks."""
    assert one.path is not None
    try:
        with one.path.open("rb", buffering=PROBE) as stream:
            start = _line_at(stream, span[0])
            end = None if span[1] is None else _line_at(stream, span[1])
            stream.seek(max(0, start - LEAD))
            yield plain(_from_line(stream.read(min(start, LEAD)), start > LEAD))
            yield from blocks(_Limited(stream, None if end is None else end - start), one.name, found.continues)
            if end is not None:
                stream.seek(end)
                found.trail = plain(_upto(stream.read(TRAIL)))
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
        """At most `size` bytes."""
        if self._left is None:
            return bytes(self._stream.read(size))
        data = bytes(self._stream.read(min(size, self._left)))
        self._left -= len(data)
        return data
