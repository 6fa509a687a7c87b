"""Ranks compared: stragglers by step times, who went on after a warning, what only the failing rank said."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from neurontriage.facts.clocks import Clocks
from neurontriage.facts.cohort import cohort
from neurontriage.facts.compared import slow
from neurontriage.incident import Way, read
from neurontriage.knowledge.catalog import Catalog

START = datetime(2026, 3, 1, 10)
CAUSE = "2026-Mar-01 10:01:30.000000 4711:4711 ERROR  TDRV:dmem_alloc_internal   Failed to alloc DEVICE memory: 343597"
WARNING = "Timeout waiting for RX (waited 120 sec) - retrying"
ODD = "DMA results may not be accurate"


def step(number: int, took: float, prefix: str = "") -> str:
    return f"{prefix}{START + timedelta(seconds=20 + number)} INFO step {number} loss 2.0 step_time={took:.2f}"


def sampled(logs: dict[str, list[str]]) -> list[str]:
    clocks = Clocks()
    for path, lines in logs.items():
        list(clocks.watch(path, ["\n".join(lines).encode()]))
    return list(slow(cohort(clocks.samples), clocks.samples))


def test_stragglers_are_told_by_step_times() -> None:
    paces = {rank: 4.1 if rank in (5, 6) else 2.0 + rank / 100 for rank in range(8)}
    logs = {f"rank_{rank}.log": [step(n, pace) for n in range(30)] for rank, pace in paces.items()}
    assert sampled(logs) == ["stragglers: steps of ranks 5-6 take up to 4.1, of the median rank 2.04"]
    mixed = [step(n, pace, f"[rank{rank}]: ") for n in range(30) for rank, pace in paces.items()]
    assert sampled({"all.log": mixed}) == sampled(logs)


@pytest.mark.parametrize("paces", [[2.0] * 8, [2.0, 9.0], [2.0, 2.1, 2.3, 1.9], [1.0, 1.0, 9.0, 9.0]])
def test_ranks_of_one_pace_and_two_halves_are_no_stragglers(paces: list[float]) -> None:
    assert sampled({f"rank_{rank}.log": [step(1, pace)] * 3 for rank, pace in enumerate(paces)}) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_an_incident_says_who_went_on_and_what_only_the_failing_rank_printed(
    tmp_path: Path, catalog: Catalog, workers: int
) -> None:
    for rank in range(4):
        rows = [f"{START} INFO rank {rank}, world size 4", *(step(n, 2.0) for n in range(10)), WARNING]
        rows += [step(n, 2.0) for n in range(10, 40)] if rank != 3 else [ODD, CAUSE]
        (tmp_path / f"rank_{rank}.log").write_text("\n".join(rows) + "\n")
    diagnosis = read([str(tmp_path)], catalog, Way(workers=workers)).diagnoses[0]
    assert diagnosis.ranks is not None
    assert diagnosis.ranks.first_failed == 3
    (went,) = [note for note in diagnosis.notes if "went on with their steps" in note]
    assert "ranks 0-2 went on with their steps, ranks 3 did not" in went
    (alone,) = [note for note in diagnosis.notes if "only rank 3 printed" in note]
    assert "DMA" in alone


def test_the_first_of_many_failing_ranks_is_found_beyond_the_lines_that_are_shown(
    tmp_path: Path, catalog: Catalog
) -> None:
    for rank in range(30):
        at = START + timedelta(seconds=90 - (rank == 27))
        line = CAUSE.replace("10:01:30.000000", f"{at:%H:%M:%S}.000000")
        (tmp_path / f"rank_{rank:02}.log").write_text(f"{START} INFO rank {rank}, world size 30\n{line}\n")
    diagnosis = read([str(tmp_path)], catalog).diagnoses[0]
    assert diagnosis.ranks is not None
    assert (diagnosis.ranks.first_failed, len(diagnosis.ranks.failed)) == (27, 30)


def test_where_nobody_got_stuck_nothing_is_said_of_others(tmp_path: Path, catalog: Catalog) -> None:
    for rank in range(4):
        rows = [f"{START} INFO rank {rank}, world size 4", *(step(n, 2.0) for n in range(10))]
        rows += [WARNING, *(step(n, 2.0) for n in range(10, 40))] if rank != 3 else [ODD, CAUSE]
        (tmp_path / f"rank_{rank}.log").write_text("\n".join(rows) + "\n")
    notes = read([str(tmp_path)], catalog, Way(workers=1)).diagnoses[0].notes
    assert [note.endswith("ranks 0-2 went on with their steps") for note in notes if "went on" in note] == [True]
