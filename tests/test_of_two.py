"""Of any two things that stand in one log, or in two logs of one run: which is the root, and what becomes of the other.

`blocks.yaml` has the things, `of_two.yaml` what is said of each pair: right below the first (`below`), far below it in
a run that then goes on (`onward`), and in a log of its own (`apart`). 1 and 2 are the two things, a letter is a line of
theirs. What changes here changes for many logs: NEURONTRIAGE_GOLDEN=write writes it anew; read the difference.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis, Evidence
from neurontriage.triage import diagnose

HERE = Path(__file__).parent
BLOCKS: dict[str, str] = yaml.safe_load((HERE / "blocks.yaml").read_text())
WRITTEN = HERE / "of_two.yaml"
ROWS = "".join(f"row {number} of the listing\n" for number in range(20))
STEPS = "".join(f"2026-01-02 03:04:0{number} INFO step {number} of 9, loss 3.1\n" for number in (7, 8))


def logs(first: str, second: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The ways in which two blocks stand to each other, with their logs."""
    yield "below", {"1": first + second}
    yield "onward", {"1": first + ROWS + second + STEPS}
    yield "apart", {"1": first, "2": second}


def place(line: Evidence, first: str) -> str:
    """A line by its block and its letter in it."""
    above = first.count("\n")
    if line.path == "2":
        block, number = "2", line.line
    elif line.line <= above:
        block, number = "1", line.line
    else:
        block, number = "2", line.line - above - (ROWS.count("\n") if line.line > above + len(ROWS.splitlines()) else 0)
    more = f"-{line.end_line - line.line}" if line.end_line > line.line else ""
    return f"{block}{'abcdefghijkl'[number - 1]}{more}"


def said(found: Diagnosis, first: str) -> str:
    """The verdict with each finding: where it stands, its part, the edge into it, and whether it is no error."""
    parts = []
    for one in found.findings:
        places = "+".join(place(line, first) for line in one.evidence)
        part = one.why.kind if one.why else one.role
        parts.append(f"{places} {part}" + (f" {one.severity}" if one.severity != "error" else ""))
    return ", ".join([found.verdict, *parts])


@pytest.fixture(scope="module")
def written() -> Iterator[dict[str, dict[str, dict[str, str]]]]:
    """What of_two.yaml says; with NEURONTRIAGE_GOLDEN=write what is said now is written there in the end."""
    whole = yaml.safe_load(WRITTEN.read_text()) if WRITTEN.exists() else {}
    yield whole
    if os.environ.get("NEURONTRIAGE_GOLDEN") == "write":
        WRITTEN.write_text(yaml.safe_dump(whole, width=150, sort_keys=False))


@pytest.mark.parametrize("name", BLOCKS)
def test_what_becomes_of_two(name: str, catalog: Catalog, written: dict[str, dict[str, dict[str, str]]]) -> None:
    first, told = BLOCKS[name], defaultdict[str, dict[str, list[str]]](lambda: defaultdict(list))
    for other, second in BLOCKS.items():
        for way, texts in logs(first, second):
            found = diagnose([(path, [text.encode()]) for path, text in texts.items()], catalog)
            told[way][said(found, first)].append(other)
    now = {way: {text: " ".join(others) for text, others in texts.items()} for way, texts in told.items()}
    if os.environ.get("NEURONTRIAGE_GOLDEN") == "write":
        written[name] = now
    assert now == written.get(name)
