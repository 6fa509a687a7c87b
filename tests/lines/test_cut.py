"""What is held of a log while its lines are cut."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

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


@pytest.mark.parametrize("whole", [True, False], ids=["one block", "a block for each line"])
@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("a\n\nb\n", 3), ("\n", 1), ("\n\n", 2),
        ("a\nKilled\nb", 3),
        ("row\n" * 99 + "Killed\n", 100), ("Killed\n" * 99 + "row", 100), ("row\n" * 99, 99),
    ],
)  # fmt: skip
def test_lines_are_counted_wherever_blocks_end(catalog: Catalog, text: str, lines: int, whole: bool) -> None:
    data = text.encode()
    cutter = Cutter("a.log", catalog.finder, catalog.patterns)
    found = list(cutter.cut([data] if whole else data.splitlines(keepends=True)))
    assert (cutter.lines, cutter.bytes) == (lines, len(data))
    rows = text.split("\n")
    assert all(one.text.strip() in rows[one.number - 1] for one in found)
    assert {number for number, row in enumerate(rows, 1) if row == "Killed"} <= {one.number for one in found}
    assert [row.encode() for row in rows if row][-3:] == [said.encode() for _, said in cutter.tail()][-3:]
