"""What is held of a log while its lines are cut."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.cut import Cutter
from neurontriage.read.inputs import BLOCK, LONGEST_LINE, blocks


class Endless:
    """A stream of one line that never ends. `given`: how many bytes of it were read."""

    given = 0

    def read(self, size: int) -> bytes:
        self.given += size
        piece = b"tensor of shape [2, 3] and [NCC_EVRF009] Size of total input and output tensors exceeds "
        return (piece * (size // len(piece) + 1))[:size]


def test_a_line_without_an_end_is_read_in_blocks_that_are_bounded() -> None:
    stream = Endless()
    for number, block in enumerate(itertools.islice(blocks(stream, "a.log"), 9), 1):
        assert len(block) <= LONGEST_LINE + BLOCK
        assert stream.given <= number * (LONGEST_LINE + BLOCK) + BLOCK


def test_of_a_line_without_an_end_little_is_held_until_its_hits_are_known(catalog: Catalog) -> None:
    """Whether a log is short, so that every line of it is read, is known before all of it is."""
    stream, seen = Endless(), list[int]()

    def counted() -> Iterator[bytes]:
        for block in blocks(stream, "a.log"):
            seen.append(len(block))
            yield block

    line = next(Cutter("a.log", catalog.finder, catalog.patterns).cut(counted()))
    assert line.number == 1
    assert "NCC_EVRF009" in line.text
    assert sum(seen) <= 2 * (LONGEST_LINE + BLOCK)
