"""Blocks that another process of this host will read: they lie in a file without a name, not in the memory of both."""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Iterable, Iterator, MutableSequence
from itertools import chain
from typing import IO, Any

_ROOM = 1 << 20
"""Bytes that are held before they are written."""
_LITTLE = 32 << 10
"""So many bytes are sent as they are: a file for each of ten thousand small logs would cost more than reading them."""


class Spooled:
    """Blocks that can be gone through again and again, here or where this was sent, for as long as it is held here.

    What the disk has no room for is held in memory, as is all where a file without a name cannot be opened by others.
    """

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._file: IO[bytes] | None = None
        self._path = ""
        self._sizes, self._held = list[int](), list[bytes]()
        rest = iter(blocks)
        first = list(_upto(rest, _LITTLE))
        if sum(map(len, first)) > _LITTLE and (file := _file()):
            self._file, self._path = file, f"/proc/{os.getpid()}/fd/{file.fileno()}"
        for block in chain(first, rest):
            if self._held or not self._written(block):
                self._held.append(block)

    def __iter__(self) -> Iterator[bytes]:
        """Raises OSError where another process is not let see the file."""
        if self._sizes:
            with open(self._path, "rb", buffering=0) as file:
                for size in self._sizes:
                    yield _exactly(file, size)
        yield from self._held

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_file": None}

    def _written(self, block: bytes) -> bool:
        """Whether a block is in the file, as a whole."""
        try:
            written = self._file.write(block) if self._file else -1
        except OSError:
            return False
        if written == len(block):
            self._sizes.append(written)
        return written == len(block)


class Laid(MutableSequence[bytes]):
    """Pieces of bytes by number. What is more than a little lies in a file without a name, one behind the other.

    A piece that takes the place of another is laid down behind all; in the file the old one stays where it is.
    """

    def __init__(self) -> None:
        self._held = bytearray()
        self._ends, self._sizes = array("q"), array("l")
        self._file: IO[bytes] | None = None
        self._below, self._room = 0, _ROOM

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        size = self._sizes[place]
        begin = self._ends[place] - size
        if begin >= self._below:
            return bytes(self._held[begin - self._below : begin - self._below + size])
        assert self._file is not None
        return os.pread(self._file.fileno(), size, begin)

    def insert(self, place: int, value: bytes) -> None:
        """Put a piece before the one that stands at a place."""
        self._ends.insert(place, self._put(value))
        self._sizes.insert(place, len(value))

    def __setitem__(self, place: Any, value: Any) -> None:
        self._ends[place], self._sizes[place] = self._put(value), len(value)

    def __delitem__(self, place: int | slice) -> None:
        del self._ends[place], self._sizes[place]

    def _put(self, value: bytes) -> int:
        """Lay a piece down; gives where it ends."""
        if len(self._held) > self._room:
            self._spool()
        self._held += value
        return self._below + len(self._held)

    def _spool(self) -> None:
        self._file = self._file or _file()
        try:
            written = self._file.write(self._held) if self._file else 0
        except OSError:
            written = 0
        if self._file and written == len(self._held):
            self._below += written
            self._held = bytearray()
        else:
            self._room = sys.maxsize

    def __reduce__(self) -> Any:
        return _laid, (list(self),)


def _laid(pieces: Iterable[bytes]) -> Laid:
    found = Laid()
    found.extend(pieces)
    return found


def _file() -> IO[bytes] | None:
    if sys.platform != "linux":
        return None
    import tempfile  # which takes longer to import than a short log to read

    try:
        return tempfile.TemporaryFile(buffering=0)
    except OSError:
        return None


def _upto(blocks: Iterator[bytes], most: int) -> Iterator[bytes]:
    """The first blocks, up to the one with which they are more than so many bytes."""
    for block in blocks:
        yield block
        most -= len(block)
        if most < 0:
            return


def _exactly(file: IO[bytes], size: int) -> bytes:
    parts, left = list[bytes](), size
    while left and (part := file.read(left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
