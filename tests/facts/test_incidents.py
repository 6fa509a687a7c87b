"""Whole incidents from files: the first failing rank, with skewed clocks, echoes before the cause, missing ranks."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from neurontriage.incident import read
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis, Ranks

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


RAISED = 'Traceback (most recent call last):\n  File "/srv/job/run.py", line 9, in <module>\n    go()\n'
OWN = [
    RAISED + "pages.Damaged: page 12 of 40",
    "terminate called after throwing an instance of 'pages::Damaged'\n  what():  page 12",
    "Segmentation fault (core dumped)",
    "ERROR - pages - page 12 is of no known kind",
    "F0301 10:00:20.123456  4711 pages.cc:88] Check failed: kind < 9 (12 vs. 9) page 12",
]
OTHERS = [
    RAISED + "torch.distributed.DistStoreError: wait timeout after 300000ms, keys: /ready",
    RAISED + "torch.distributed.elastic.multiprocessing.api.SignalException: Process 47 got signal: 15",
    RAISED + "ConnectionResetError: [Errno 104] Connection reset by peer",
    RAISED + "RuntimeError: nrt_execute failed with NRT_EXEC_HW_ERR_COLLECTIVES (1200)",
    "ERROR - ring - no answer from rank {rank} for 120 s, closing",
]


@pytest.mark.parametrize("seed", range(40))
def test_a_rank_that_fails_in_words_of_its_own(seed: int, tmp_path: Path, catalog: Catalog) -> None:
    """Whatever the others say, before it or after it, in one log or in many: or that nobody says why."""
    chance = random.Random(seed)
    size = chance.choice([4, 8, 16])
    culprit, told = chance.randrange(size), seed % 4 > 0
    skews = [chance.choice([0.0, chance.uniform(-90, 90)]) if size > 4 else 0.0 for _ in range(size)]
    failures = {n: (80.0 + chance.choice([-0.3, 5.0]), chance.choice(OTHERS)) for n in range(size)}
    failures[culprit] = (80.0, chance.choice(OWN))
    logs = {n: log(n, size, skews[n], failures[n]) for n in range(size) if told or n != culprit}
    found = explained(tmp_path, catalog, told and chance.random() < 0.5, logs).ranks
    assert found is not None
    everybody = tuple(n for n in range(size) if n != culprit)
    assert found == (Ranks(culprit, (culprit,), everybody) if told else Ranks(None, (), everybody, (culprit,)))
