"""Which lines are read as the lines that they hold as escaped text, which are not, and how they are counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from neurontriage.lines.escaped import opened
from neurontriage.lines.folds import Folds
from neurontriage.lines.unfold import Unfolder
from neurontriage.triage import explain_text

CASES: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("escaped.yaml").read_text())
TRACE = "Traceback (most recent call last):\n  File \"train.py\", line 3, in <module>\nKeyError: 'x'"


@pytest.mark.parametrize("name", CASES["kept"])
def test_an_ordinary_line_stays_as_it_is(name: str) -> None:
    assert opened(CASES["kept"][name].encode()) is None


@pytest.mark.parametrize("name", CASES["opened"])
def test_a_line_is_read_as_those_that_it_holds(name: str) -> None:
    case = CASES["opened"][name]
    found = opened(case["line"].encode())
    assert found is not None
    assert [line.decode() for line in found] == case["lines"]


def test_evidence_has_the_number_of_the_line_and_the_text_within() -> None:
    log = f"first\n{json.dumps(TRACE)}\nlast\nValueError: 7 of 8\n"
    found = explain_text(log)
    lines = {one.evidence[0].text: one.evidence[0].line for one in found.findings}
    assert lines["KeyError: 'x'"] == 2
    assert lines["ValueError: 7 of 8"] == 4
    assert found.inputs[0].lines == 4
    assert any("1 line holds others as escaped text, read as 3 lines" in note for note in found.notes)


def test_a_calm_first_line_opens_only_what_is_most_of_its_log() -> None:
    line = f"2026-05-01 10:00:00 INFO train: start\n{TRACE}".replace("\n", "\\n").encode() + b"\n"
    assert Unfolder().unfolded(line).count(b"\n") == 4
    among = line + b"2026-05-01 10:00:01 INFO train: step 1, loss 2.1\n" * 9
    assert Unfolder().unfolded(among) is among


def test_lines_are_placed_where_they_stand() -> None:
    folds, later = Folds(), Folds()
    folds.add(2, 3)  # lines 2 to 5 are line 2
    later.add(1, 1)
    folds.take(later, 6)  # 7 and 8 are line 4
    assert [folds.place(line) for line in range(1, 10)] == [1, 2, 2, 2, 2, 3, 4, 4, 5]
    assert [line for line in range(1, 10) if folds.within(line)] == [3, 4, 5, 8]


def test_a_block_without_such_a_line_is_handed_on_itself() -> None:
    block = b"".join(line.encode() + b"\n" for line in CASES["kept"].values())
    assert Unfolder().unfolded(block) is block


def test_a_line_of_many_megabytes_is_opened_in_linear_time() -> None:
    block = json.dumps("2026-05-01 10:00:00 INFO step\n" * 60_000).encode()
    unfolder = Unfolder()
    assert unfolder.unfolded(block).count(b"\n") == 60_000 - 1
    assert len(unfolder.folds) == 1


@pytest.mark.parametrize("text", ["'\\n" * 50_000, '"\\n' * 50_000, "\\" * 100_000 + "n\\n", ' ="\\\\n\\n' * 20_000])
def test_hostile_escapes_take_no_time(text: str) -> None:
    Unfolder().unfolded(text.encode())


def test_a_status_that_quotes_without_end_is_read_once() -> None:
    """A hundred thousand quoted messages that never end: seeking an end for each of them took hours."""
    line = b'{"FailureReason": "' + rb"ErrorMessage \"x\n" * 100_000 + b'"}'
    found = opened(line)
    assert found is not None
    assert len(found) == 100_000
