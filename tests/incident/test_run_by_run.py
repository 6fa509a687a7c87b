"""A file that holds several runs, read as a user gives it: plain, packed, of several workers, and from a pipe."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from incidents import answer

import neurontriage.runs
from neurontriage.claims.reading import Reading
from neurontriage.facts.runs import Begins
from neurontriage.incident import Way, pool, read, runs
from neurontriage.incident.task import Told
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis
from neurontriage.read import slices
from neurontriage.runs import of_last_failed
from neurontriage.triage import explain_text

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


@pytest.mark.parametrize("packed", [False, True])
def test_no_run_is_read_before_the_one_above_it_is_concluded(
    tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    """So that one run is held at a time, and nothing of the reading in which they were found."""
    log = tmp_path / ("train.log.gz" if packed else "train.log")
    log.write_bytes(gzip.compress(three().encode()) if packed else three().encode())
    seen: list[str] = []
    whole: list[Reading] = []
    told, concluded = runs.told, runs.concluded

    def telling(*given: Any) -> Told:
        assert not whole[0].part.gathered.found
        seen.append("read")
        return told(*given)

    def concluding(reading: Reading) -> Diagnosis:
        assert whole or reading.part.gathered.found
        whole.append(reading)
        seen.append("concluded")
        return concluded(reading)

    monkeypatch.setattr(runs, "told", telling)
    monkeypatch.setattr(runs, "concluded", concluding)
    read([str(log)], catalog)
    assert seen == ["concluded", *["read", "concluded"] * 3]


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


def long(seed: int) -> str:
    """Runs of very different lengths, each of which fails in its own way."""
    rng = random.Random(seed)
    parts = []
    for number in range(5):
        steps = "".join(f"step {n} loss 0.{rng.randrange(99)}\n" for n in range(rng.choice([14, 500, 3000])))
        parts.append(BANNER.format(number) + steps + FAILED.format(f"key_{number}"))
    return "".join(parts)


@pytest.mark.parametrize("packed", [False, True])
def test_slices_of_runs_give_the_same_for_any_number_of_workers(
    tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    for name, value in (("SLICE", 20_000), ("LEAD", 2_000), ("TRAIL", 1_000)):
        monkeypatch.setattr(slices, name, value)
    monkeypatch.setattr(runs, "_WORTH_SENDING", 0)
    monkeypatch.setattr(pool, "BrokenProcessPool", ZeroDivisionError)  # no worker dies here
    for seed in range(2):
        log = tmp_path / f"{seed}.log"
        log.write_bytes(gzip.compress(long(seed).encode()) if packed else long(seed).encode())
        alone, *others = (answer([str(log)], catalog, Way(workers=workers)) for workers in (1, 2, 3))
        assert others == [alone, alone]
        found = read([str(log)], catalog).diagnoses
        assert [run.verdict for run in found[0].runs] == ["failed"] * 5
        last = long(seed).count("\n")
        assert found[0].roots[0].evidence[0].line == last
        assert found[0].runs == explain_text(long(seed), str(log), catalog).runs


@pytest.mark.parametrize("packed", [False, True])
def test_of_earlier_runs_that_failed_only_the_end_is_read(
    tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    """The answer is that of all runs read from beginning to end, however many workers read them."""
    sizes: list[int] = []
    told = runs.told

    def telling(*given: Any) -> Told:
        found = told(*given)
        sizes.append(sum(source.bytes for part in found.parts for source in part.sources))
        return found

    monkeypatch.setattr(runs, "told", telling)
    for seed in range(3):
        text = long(seed) + ("" if seed else BANNER.format(9) + STEPS)
        log = tmp_path / f"{seed}.log"
        log.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
        found = []
        for least, end in ((1 << 40, 1), (6_000, 3_000)):
            for module in (runs, neurontriage.runs):
                monkeypatch.setattr(module, "LONG", least)
                monkeypatch.setattr(module, "END", end)
            sizes.clear()
            found += [(answer([str(log)], catalog, Way(workers=1)), sum(sizes))]
            found += [(explain_text(text, str(log), catalog).runs, None)]
            found += [(answer([str(log)], catalog, Way(workers=3)), None)]
        assert [one for one, _ in found[3:]] == [one for one, _ in found[:3]]
        ends = [len(run) > 6_000 for run in re.split(f"(?={re.escape(BANNER[:9])})", text)[1:]]
        assert found[3][1] < found[0][1] or not any(ends[:-1])


def test_an_end_that_fails_is_no_answer_where_all_of_the_run_says_otherwise(catalog: Catalog) -> None:
    """It is read whole before it is the answer; then the one before it is, whose end says the same."""
    runs = [diagnosed(catalog, 30), diagnosed(catalog, 0), diagnosed(catalog, 0)]
    asked: list[tuple[tuple[int, ...], bool]] = []

    def each(lines: Sequence[int], ends: bool) -> Iterator[tuple[int, Diagnosis]]:
        asked.append((tuple(lines), ends))
        return ((line, runs[0] if ends else runs[[1, 41, 81].index(line)]) for line in lines)

    whole = diagnosed(catalog, 30, lines=100)
    found = of_last_failed(whole, Begins([41, 81]), each)
    assert asked == [((1, 41), True), ((81,), False), ((41,), False), ((1,), False)]
    assert [run.verdict for run in found.runs] == ["failed", "unknown", "unknown"]
    assert found.roots[0].evidence[0].line == 30


def diagnosed(catalog: Catalog, line: int, lines: int = 40) -> Diagnosis:
    """An answer for a log of so many lines, of which this one states a failure; 0: none does."""
    said = FAILED.format("a") if line else ""
    text = "".join(f"line {n} of what it printed\n" for n in range(line - said.count("\n"))) + said
    text += "".join(f"line {n} of what it printed\n" for n in range(lines - text.count("\n")))
    found = explain_text(text, "a.log", catalog)
    assert found.verdict == ("failed" if line else "unknown")
    return found


def test_a_log_that_changed_between_the_readings_stays_whole(
    tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "train.log"
    log.write_text(three())
    places = runs.places

    def truncated(path: Path, lines: list[int]) -> list[int]:
        log.write_text(BANNER.format(1))
        return places(path, lines)

    monkeypatch.setattr(runs, "places", truncated)
    (found,) = read([str(log)], catalog).diagnoses
    assert (found.runs, found.verdict, found.inputs[0].lines) == ((), "failed", 56)


def test_where_lines_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, path = random.Random(3), tmp_path / "x"
    monkeypatch.setattr(slices, "BLOCK", 64)
    for _ in range(50):
        lines = [b"x" * rng.choice([0, 1, 30, 200]) + b"\n" for _ in range(rng.randrange(1, 40))]
        path.write_bytes(b"".join(lines))
        wanted = sorted(rng.sample(range(1, len(lines) + 1), rng.randrange(len(lines))))
        found = slices.places(path, [*wanted, len(lines) + 9])
        assert found == [sum(map(len, lines[: one - 1])) for one in wanted]
