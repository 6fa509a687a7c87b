"""Blocks that another process of this host will read: they lie in a file without a name, not in the memory of both."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import IO, Any


class Spooled:
    """Blocks that can be gone through again and again, here or where this was sent, for as long as it is held here.

    What the disk has no room for is held in memory, as is all where a file without a name cannot be opened by others.
    """

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._file, self._sizes, self._held = _file(), list[int](), list[bytes]()
        self._path = f"/proc/{os.getpid()}/fd/{self._file.fileno()}" if self._file else ""
        for block in blocks:
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


def _file() -> IO[bytes] | None:
    if sys.platform != "linux":
        return None
    import tempfile  # which takes longer to import than a short log to read

    try:
        return tempfile.TemporaryFile(buffering=0)
    except OSError:
        return None


def _exactly(file: IO[bytes], size: int) -> bytes:
    parts, left = list[bytes](), size
    while left and (part := file.read(left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
