"""Runs appended to one log: cut where a run begins again after an end, every line in one run, numbers kept."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from neurontriage.facts.runs import MOST, MOST_SEEN, Begins, Openings, apart
from neurontriage.knowledge.catalog import Catalog
from neurontriage.read.slices import sliced
from neurontriage.triage import explain_text

BANNER = "Loading the launcher module\n2026-02-03 04:05:{:02d} starting the training script\n"
STEPS = "".join(f"step {n} loss 0.5\n" for n in range(14))
FAILED = "Traceback (most recent call last):\n  File \"train.py\", line 9, in <module>\n    main()\nKeyError: '{}'\n"


def starts(text: str, size: int = 1 << 20) -> list[int]:
    """Where further runs begin; blocks of about `size` bytes, each ending at a line feed."""
    blocks = in_blocks(text.encode(), size)
    openings, above = Openings(), 0
    for block in blocks:
        openings.read(block, above)
        above += block.count(b"\n")
    return openings.end(above).starts()


def in_blocks(text: bytes, size: int) -> list[bytes]:
    blocks = [b""]
    for line in text.splitlines(keepends=True):
        if len(blocks[-1]) > size:
            blocks.append(b"")
        blocks[-1] += line
    return blocks


@settings(max_examples=60, deadline=None)
@example([0, 0, 3, 0, 0], 500, 1)
@example([0, 0, 3, 0, 0], 1, 1)
@given(st.lists(st.sampled_from([0, 1, 2, 3, 4]), max_size=40), st.integers(1, 900), st.integers(1, 900))
def test_slices_find_the_runs_that_the_whole_has(pieces: list[int], size: int, block: int) -> None:
    """Also where slices are shorter than the lines that are looked at around a place."""
    said = [BANNER.format(7), BANNER.format(9), STEPS, FAILED.format("x"), "\n"]
    text = BANNER.format(1) + "".join(said[piece] for piece in pieces)
    found, lines = Begins(), 0
    for one in sliced(in_blocks(text.encode(), block), size):
        openings, above = Openings(one.lead, one.head if one.continues else b""), 0
        for part in one.body:
            openings.read(part, above)
            above += part.count(b"\n")
        found.take(openings.end(above, one.trail), lines)
        lines += above
    assert found.starts() == starts(text, block)


def test_an_opening_that_stands_everywhere_is_none() -> None:
    often = BANNER.format(1) * (MOST_SEEN + 1)
    assert starts(often + FAILED.format("a") + BANNER.format(2), 9999) == []
    assert Begins(list(range(20, 999, 20)), MOST_SEEN + 1).starts() == []


def test_a_start_after_an_end_is_a_run() -> None:
    one = BANNER.format(1) + STEPS + FAILED.format("a")
    assert starts(one) == []
    assert starts(one + BANNER.format(2) + STEPS) == [21]
    assert starts(one + BANNER.format(2) + STEPS + FAILED.format("b") + BANNER.format(3), 40) == [21, 41]


def test_a_repeated_start_without_an_end_is_none() -> None:
    assert starts(BANNER.format(1) + BANNER.format(1) + STEPS + BANNER.format(2) + STEPS) == []


def test_a_banner_that_does_not_stand_on_the_first_line() -> None:
    one = "====\n" + BANNER.format(1) + STEPS + FAILED.format("a")
    assert starts(one + "====\n" + BANNER.format(2)) == [22]


def test_the_second_line_of_a_banner_may_stand_some_lines_below() -> None:
    for gap in ("\n", "\n\n", "====\n\n====\n"):
        banner = [BANNER.format(number).replace("module\n", f"module\n{gap}") for number in (1, 2)]
        one = STEPS + FAILED.format("a")
        assert starts(banner[0] + one + banner[1] + one) == [21 + gap.count("\n")]
        assert starts(banner[0] + one + BANNER.format(2) + one) == []


def test_a_bar_that_is_written_over_counts_as_its_last_state() -> None:
    bar = "".join(f"  {n}%|{'#' * n} | {n}/99 [00:0{n}<00:09, 1.{n}it/s]\r" for n in range(1, 9))
    one = BANNER.format(1) + STEPS + FAILED.format("a")
    assert starts((f"{bar}\n" * 3 + FAILED.format("a") + STEPS) * 3) == []
    assert starts(f"{bar}{one}" + f"  7%|# | 7/99\r{BANNER.format(2)}{STEPS}") == [21]


def test_steps_from_the_first_line_on_are_no_opening() -> None:
    steps = "".join(f"training step {n} loss 0.5\n" for n in range(14))
    assert starts((steps + FAILED.format("a")) * 3) == []


def test_a_traceback_again_and_again_is_no_run() -> None:
    assert starts((FAILED.format("a") + STEPS) * 9) == []


def test_what_comes_too_often_is_no_start() -> None:
    one = BANNER.format(1) + STEPS + FAILED.format("a")
    assert len(starts(one * 40)) == 39
    assert starts(one * (MOST + 3)) == []


@given(st.lists(st.sampled_from(["", "x", "two words"]), max_size=30), st.sets(st.integers(2, 30)), st.integers(1, 40))
def test_every_line_keeps_its_number_and_belongs_to_one_run(lines: list[str], cuts: set[int], size: int) -> None:
    text = "".join(f"{line}\n" for line in lines).encode()
    begins = sorted(cut for cut in cuts if cut <= len(lines))
    blocks = [text[n : n + size] for n in range(0, len(text), size)]
    runs = [(begin, b"".join(run)) for begin, run in apart(blocks, begins)]
    assert b"".join(run for _, run in runs) == text
    for begin, run in runs:
        assert run.splitlines() == [line.encode() for line in lines[begin - 1 :]][: run.count(b"\n")]
    assert [begin for begin, _ in runs] == [1, *begins][: len(runs)]


def test_the_last_run_that_failed_is_explained(catalog: Catalog) -> None:
    one = BANNER.format(1) + STEPS + FAILED.format("a")
    text = one + BANNER.format(2) + STEPS + FAILED.format("b") + BANNER.format(3) + STEPS
    diagnosis = explain_text(text, "train.log", catalog)
    assert [(run.line, run.end_line, run.verdict) for run in diagnosis.runs][:2] == [
        (1, 20, "failed"),
        (21, 40, "failed"),
    ]
    assert diagnosis.roots[0].evidence[0].line == 40
    assert diagnosis.inputs[0].lines == 56
