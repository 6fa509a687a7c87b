"""Words that parts of the program look for in every block: which of them stand in one is told by one pass for all.

Until so much has gone by that a database of Hyperscan is worth its making, and without it, each is looked for itself.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

_MUCH = 1 << 20
"""Bytes after which it is worth it to load Hyperscan, if nothing else has, and to make the database."""


class _All:
    """All words. `_free`: the database while nobody uses it; None before it is made, and where there is none."""

    def __init__(self) -> None:
        self._words: list[bytes] = []
        self._left = _MUCH
        self._free: list[Any] | None = None
        self._last: tuple[bytes, Container[bytes]] = b"", ()

    def add(self, *words: bytes) -> None:
        """Look for these, too."""
        self._words += words
        self._left, self._free, self._last = _MUCH, None, (b"", ())

    def within(self, block: bytes) -> Container[bytes] | None:
        """The words in a block; None where each is to be looked for. Many ask for the same block one after another."""
        last = self._last
        if last[0] is block:
            return last[1]
        if self._free is None:
            self._left -= len(block)
            if self._left >= 0:
                return None
            self._free = list(self._database())
        if not self._free:  # another thread is using it
            return None
        found: set[bytes] = set()
        database, words = self._free.pop(), self._words
        database.scan(block, match_event_handler=lambda number, *_: found.add(words[number]))
        self._free.append(database)
        self._last = block, found
        return found

    def _database(self) -> list[Any]:
        try:
            import hyperscan
        except ImportError:
            return []
        made, count = hyperscan.Database(), len(self._words)
        flags = [hyperscan.HS_FLAG_SINGLEMATCH] * count
        made.compile(self._words, list(range(count)), count, flags, literal=True)
        return [made]


_ALL = _All()


class Needles:
    """Some words for which blocks are searched."""

    def __init__(self, *words: bytes) -> None:
        self.words = words
        _ALL.add(*words)

    def within(self, block: bytes) -> list[bytes]:
        """Those of the words that stand in a block, in their own order."""
        found = _ALL.within(block)
        return [one for one in self.words if (one in block if found is None else one in found)]
