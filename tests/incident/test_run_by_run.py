"""A file that holds several runs, read as a user gives it: plain, packed, of several workers, and from a pipe."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from neurontriage.incident import Way, read
from neurontriage.knowledge.catalog import Catalog

BANNER = "Loading the launcher module\n2026-02-03 04:05:{:02d} starting the training script\n"
STEPS = "".join(f"step {n} loss 0.5\n" for n in range(14))
FAILED = "Traceback (most recent call last):\n  File \"train.py\", line 9, in <module>\n    main()\nKeyError: '{}'\n"
STOPPED = "torch.distributed.elastic.multiprocessing.api.SignalException: Process 17 got signal: 15\n"
RUNS = [(1, 20, "failed"), (21, 40, "failed"), (41, 56, "unknown")]


def three() -> str:
    """Two runs that failed and one that did not."""
    runs = (BANNER.format(n) + STEPS + FAILED.format(key) for n, key in enumerate("ab"))
    return "".join(runs) + BANNER.format(9) + STEPS


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("each", [False, True])
def test_the_last_that_failed_is_explained(tmp_path: Path, catalog: Catalog, packed: bool, each: bool) -> None:
    log = tmp_path / ("train.log.gz" if packed else "train.log")
    log.write_bytes(gzip.compress(three().encode()) if packed else three().encode())
    (found,) = read([str(log)], catalog, Way(each=each)).diagnoses
    assert [(run.line, run.end_line, run.verdict) for run in found.runs] == RUNS
    assert found.roots[0].evidence[0].line == 40


def test_a_run_that_was_stopped_and_started_again_is_a_warning(tmp_path: Path, catalog: Catalog) -> None:
    log = tmp_path / "train.log"
    log.write_text(BANNER.format(1) + STEPS + STOPPED + BANNER.format(2) + STEPS)
    (found,) = read([str(log)], catalog).diagnoses
    assert found.verdict == "warned"
    assert [(f.id, f.severity, f.evidence[0].line) for f in found.findings] == [("HOST-Sigterm", "warning", 17)]


def test_ranks_are_runs_side_by_side(tmp_path: Path, catalog: Catalog) -> None:
    for rank in range(2):
        (tmp_path / f"rank{rank}.log").write_text(three())
    (found,) = read([str(tmp_path)], catalog).diagnoses
    assert found.runs == ()
