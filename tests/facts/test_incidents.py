"""Whole incidents from files: the first failing rank, with skewed clocks, echoes before the cause, missing ranks."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from neurontriage.incident import read
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis

START = datetime(2026, 3, 1, 10)
CAUSE = "{time} 4711:4711 ERROR  TDRV:dmem_alloc_internal   Failed to alloc DEVICE memory: 34359738368"
PEER = "{time} 4711:4711 [0] transport.cc:55 CCOM WARN NET/OFI Connection closed by remote peer ip-10-0-0-{rank}<4711>"


def stamp(at: float, named: bool) -> str:
    return (START + timedelta(seconds=at)).strftime("%Y-%b-%d %H:%M:%S.%f" if named else "%Y-%m-%d %H:%M:%S,%f")


def log(rank: int, size: int, skew: float, failure: tuple[float, str]) -> str:
    rows = [f"{stamp(3 + rank % 5 + skew, False)} - INFO - rank {rank}, world size {size}"]
    rows += [f"{stamp(20 + n + skew, False)} - INFO - trainer - step {n} loss 2.{rank:03}" for n in range(40)]
    at, line = failure
    return "\n".join([*rows, line.format(time=stamp(at + skew, True), rank=rank)]) + "\n"


def explained(folder: Path, catalog: Catalog, prefixed: bool, logs: dict[int, str]) -> Diagnosis:
    if prefixed:  # one collector has put the lines of all ranks into one file, in the order in which they arrived
        rows = [(text.index(row), rank, row) for rank, text in logs.items() for row in text.splitlines()]
        rows.sort(key=lambda one: one[0])
        (folder / "all.log").write_text("".join(f"[rank{rank}]: {row}\n" for _, rank, row in rows))
    else:
        for rank, text in logs.items():
            (folder / f"rank_{rank:04}.log").write_text(text)
    return read([str(folder)], catalog).diagnoses[0]


@pytest.mark.parametrize("seed", range(50))
def test_the_first_failing_rank(seed: int, tmp_path: Path, catalog: Catalog) -> None:
    chance = random.Random(seed)
    size = chance.choice([2, 4, 8, 16])
    culprit = chance.randrange(size)
    skews = [chance.choice([0.0, chance.uniform(-120, 120)]) if size > 2 else 0.0 for _ in range(size)]
    peers = {n: (chance.choice([79.5, 80.5, 95.0]), PEER) for n in range(size)}
    failures = peers | {culprit: (80.0, CAUSE)}
    lost = [n for n in range(size) if n != culprit and size > 4][: chance.choice([0, 1])]
    logs = {n: log(n, size, skews[n], failures[n]) for n in range(size) if n not in lost}
    diagnosis = explained(tmp_path, catalog, False, logs)
    assert diagnosis.ranks is not None
    assert diagnosis.ranks.first_failed == culprit
    assert diagnosis.ranks.failed == (culprit,)
    assert set(diagnosis.ranks.silent) == set(lost)
    assert set(diagnosis.ranks.waited) == set(logs) - {culprit}


def test_ranks_of_one_log(tmp_path: Path, catalog: Catalog) -> None:
    logs = {n: log(n, 4, 0.0, (80.0, CAUSE) if n == 2 else (81.0, PEER)) for n in range(4)}
    diagnosis = explained(tmp_path, catalog, True, logs)
    assert diagnosis.ranks is not None
    assert (diagnosis.ranks.first_failed, diagnosis.ranks.waited) == (2, (0, 1, 3))


def test_a_skewed_clock_is_said(tmp_path: Path, catalog: Catalog) -> None:
    logs = {n: log(n, 6, 45.0 * (n == 4), (80.0, CAUSE) if n == 1 else (81.0, PEER)) for n in range(6)}
    notes = explained(tmp_path, catalog, False, logs).notes
    assert any("the clock of rank 4 is 45 s ahead" in note for note in notes)
