"""Runs appended to one log: cut where a run begins again after an end, every line in one run, numbers kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from neurontriage.facts.runs import MOST, Openings, apart
from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

BANNER = "Loading the launcher module\n2026-02-03 04:05:{:02d} starting the training script\n"
STEPS = "".join(f"step {n} loss 0.5\n" for n in range(14))
FAILED = "Traceback (most recent call last):\n  File \"train.py\", line 9, in <module>\n    main()\nKeyError: '{}'\n"


def starts(text: str, size: int = 1 << 20) -> list[int]:
    """Where further runs begin; blocks of about `size` bytes, each ending at a line feed."""
    openings, lines, blocks = Openings(), text.encode().splitlines(keepends=True), [b""]
    for line in lines:
        if len(blocks[-1]) > size:
            blocks.append(b"")
        blocks[-1] += line
    assert b"".join(openings.watch(blocks)) == text.encode()
    return openings.starts


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
    runs = [b"".join(run).split(b"\n") for run in apart(blocks, begins)]
    found = dict(enumerate((line.encode() for line in lines), 1))
    for begin, run in zip([1, *begins], runs, strict=False):
        for number, line in enumerate(run, 1):
            if number >= begin and line:
                assert found[number] == line
    assert sum(line != b"" for run in runs for line in run) == sum(line != "" for line in lines)


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
