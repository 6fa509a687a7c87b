"""What looks at every block of every log as it goes by: clocks, the trail of named files, Ctrl-C, progress."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from neurontriage.facts.clocks import Clocks
from neurontriage.read.trail import Trail

_REPORT = b'"unsupported_operators"'


_PIECE = 256 << 10
"""Bytes that are handed on at once, as many as are scanned at once: half a second where all lines are unusual."""


class Passing(Protocol):
    """Sees the blocks of a log go by, and may end it. `asked`: it does; what was handed on until then is all."""

    @property
    def asked(self) -> bool: ...

    def watch(self, path: str, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """Pass the blocks through."""


@dataclass(eq=False, repr=False)
class Watched:
    """`clocks` and `trail` note what they see; `passing` are asked in turn. `report`: an input that is no log."""

    trail: Trail | None
    passing: tuple[Passing, ...] = ()
    clocks: Clocks = field(default_factory=Clocks)
    report: str | None = None

    def blocks(self, name: str, content: Iterable[bytes], continues: bool = False) -> Iterable[bytes]:
        """A log in pieces of its blocks, seen by all. `continues`: of a slice that is not the first of its log."""
        seen = self._looked_at(name, content)
        for one in self.passing:
            seen = one.watch(name, seen)
        seen = self.clocks.watch(name, seen, continues)
        return self._in_pieces(self.trail.watch(name, seen) if self.trail is not None else seen)

    def _in_pieces(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """Blocks in pieces of whole lines. To end is to leave out the rest of a block, but of what had just come."""
        for block in blocks:
            ending = self._asked
            for piece in _pieces(block):
                yield piece
                if self._asked and not ending:
                    break
            block = piece = b""

    @property
    def _asked(self) -> bool:
        return any(one.asked for one in self.passing)

    def _looked_at(self, name: str, content: Iterable[bytes]) -> Iterator[bytes]:
        """The blocks of a log; one that is an analyze report is remembered."""
        first = True  # `enumerate` would hold each block until it has the next one
        for block in content:
            if first and block[:200].lstrip().startswith(b"{") and _REPORT in block:
                self.report = name
            first = False
            yield block
            del block  # nobody holds it while the next one is read


def _pieces(block: bytes) -> Iterator[bytes]:
    start = 0
    while len(block) - start > _PIECE:
        end = block.rfind(b"\n", start, start + _PIECE) + 1 or block.find(b"\n", start + _PIECE) + 1 or len(block)
        yield block[start:end]
        start = end
    if start < len(block):
        yield block[start:] if start else block
