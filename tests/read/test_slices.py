"""Where a long file is cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from neurontriage.read import slices
from neurontriage.read.inputs import Input
from neurontriage.read.slices import MOST_SLICES, SLICE, Span, cut, slice_of, sliced, spans


@pytest.mark.parametrize(
    ("size", "low", "high", "begins"),
    [
        (3 * SLICE, 0, None, [0, SLICE, 2 * SLICE]),
        (3 * SLICE, 7, None, [7, 7 + (3 * SLICE - 7) // 2]),
        (9 * SLICE, 5, 5 + 3 * SLICE, [5, 5 + SLICE, 5 + 2 * SLICE]),
        (9 * SLICE, 5, 9, [5]),
        (SLICE, 0, None, [0]),
    ],
)
def test_slices_begin_at_equal_distances(size: int, low: int, high: int | None, begins: list[int]) -> None:
    found = cut(Input("x", None, size), low, high)
    assert [one.begin for one in found] == begins
    assert [one.end for one in found] == [*begins[1:], high]
    assert {(one.low, one.high) for one in found} == {(low, high)}


def test_there_are_only_so_many_slices() -> None:
    assert len(cut(Input("x", None, 1000 * SLICE), 0, None)) == MOST_SLICES


UTF_16 = b"\xff\xfe" + "long enough\n".encode("utf-16-le")


@pytest.mark.parametrize(("content", "count"), [(b"sixteen bytes, 2\n", 2), (b"fifteen bytes1\n", 0), (UTF_16, 0)])
def test_only_long_files_of_plain_text_are_cut(
    content: bytes, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slices, "SLICE", 8)
    path = tmp_path / "a.log"
    path.write_bytes(content)
    assert len(spans(Input("a.log", path, len(content)))) == count
    assert spans(Input("none.log", tmp_path / "none", len(content))) == []


def test_a_slice_knows_what_stands_before_it_however_short_the_blocks_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "LEAD", 16)
    content = [b"one\n", b"two\n", b"three\n", b"four\n", b"five and six\n", b"seven\n"]
    found = [(one.lead, b"".join(one.body)) for one in sliced(content, 14)]
    assert found == [
        (b"", b"one\ntwo\nthree\n"),
        (b"one\ntwo\nthree\n", b"four\nfive and six\n"),
        (b"five and six\n", b"seven\n"),
    ]


@pytest.mark.parametrize(
    ("span", "told"),
    [
        # (lead, body, trail, head): whole lines, and nothing of another run of the file.
        (Span(0, 6), (b"", b"a1\nb2\n", b"c3\nd4\n", b"a1\nb2\nc3\nd4\n")),
        (Span(6, None), (b"a1\nb2\n", b"c3\nd4\n", b"", b"a1\nb2\nc3\nd4\n")),
        (Span(4, 8), (b"a1\nb2\n", b"c3\n", b"d4\n", b"a1\nb2\nc3\nd4\n")),
        (Span(3, 6, 3, 9), (b"", b"b2\n", b"c3\n", b"a1\nb2\nc3\nd4\n")),
        (Span(6, 9, 3, 9), (b"b2\n", b"c3\n", b"", b"a1\nb2\nc3\nd4\n")),
        (Span(9, None, 9), (b"", b"d4\n", b"", b"a1\nb2\nc3\nd4\n")),
    ],
)
def test_a_slice_knows_whole_lines_of_its_run(
    span: Span, told: tuple[bytes, bytes, bytes, bytes], tmp_path: Path
) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(b"a1\nb2\nc3\nd4\n")
    found = slice_of(Input("a.log", path, 12), span)
    lead, body = found.lead, b"".join(found.body)
    assert (lead, body, found.trail, found.head) == told
    assert found.continues == (span.begin > 0)
