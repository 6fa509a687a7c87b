"""The lines around the evidence, read in a second pass for the reports that show them."""

from __future__ import annotations

from pathlib import Path

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.read import inputs as reading
from neurontriage.read.context import AROUND, with_context
from neurontriage.read.inputs import find
from neurontriage.reports import renderer, wants_context
from neurontriage.triage import explain

LINES = [
    *(f"before {n}" for n in range(1, 41)),
    "[TEN404] Internal tensorizer error: InferIntrinsicOnCC",
    "    after 1",
    "after 2",
]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "build.log"
    path.write_text("\n".join(LINES) + "\n")
    return path


@pytest.mark.parametrize("block", [12, 16, 64, 4096])  # 12: each line is a block
def test_context_is_the_lines_around(log: Path, catalog: Catalog, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "BLOCK", block)
    inputs = find([str(log)])
    evidence = with_context(explain(inputs, catalog), inputs).roots[0].evidence[0]
    expected = [(n, LINES[n - 1]) for n in range(41 - AROUND, len(LINES) + 1)]
    assert list(evidence.context)[: len(expected)] == expected


def test_the_page_shows_them_and_the_terminal_does_not_ask(log: Path, catalog: Catalog) -> None:
    inputs = find([str(log)])
    page = renderer("html")(with_context(explain(inputs, catalog), inputs))
    assert "before 39" in page
    assert "after 2" in page
    assert wants_context("html")
    assert not wants_context("terminal")


TABLE = [
    "2022-Jun-01 10:00:01.0089  5110:5110  ERROR  TDRV:log_dev_mem  Failed to allocate 1.2KB (usage: tensors) on NC 0, "
    "current utilization:",
    *(f"    * row {n} of the table: 1.0MB" for n in range(60)),
]


def test_below_a_line_on_device_memory_stands_its_table(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "full.log"
    path.write_text("\n".join([*LINES[:9], *TABLE]) + "\n")
    inputs = find([str(path)])
    for telling in (True, False):
        shown = with_context(explain(inputs, catalog), inputs, telling=telling)
        (context,) = {one.context for finding in shown.findings for one in finding.evidence if one.line == 10}
        assert [number for number, _ in context][-1] == 10 + 40
        assert (10, TABLE[0]) in context


def test_what_is_harmless_is_shown_without_the_lines_around(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "calm.log"
    path.write_text("before\nnrt_debug_client_read_one_event: NRT_QUEUE_EMPTY\nmake: *** [x.o] Error 2\nafter\n")
    inputs = find([str(path)])
    shown = with_context(explain(inputs, catalog), inputs).findings
    assert {"benign", "error"} <= {one.severity for one in shown}
    assert all(bool(one.evidence[0].context) == (one.severity != "benign") for one in shown)


def test_above_an_exception_without_frames_stands_what_was_done(log: Path, catalog: Catalog) -> None:
    log.write_text("\n".join([*LINES[:40], "ring.RingError: ring 7 lost its peer"]) + "\n")
    inputs = find([str(log)])
    (root,) = with_context(explain(inputs, catalog), inputs, telling=True).roots
    assert "raised_at" not in root.fields
    assert [number for number, _ in root.evidence[0].context] == list(range(1, 42))
