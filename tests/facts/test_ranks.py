"""Ranks: told by names and prefixes, put in order over skewed clocks, the silent ones named."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurontriage.facts.clocks import Clocks
from neurontriage.facts.cohort import cohort, ranges, rank_of
from neurontriage.facts.ranks import Failure, judge, with_ranks
from neurontriage.model import Diagnosis, Evidence, Finding, Ranks, Sighting
from neurontriage.parse.times import seconds

START = datetime(2026, 3, 1, 10)


@pytest.mark.parametrize(
    ("path", "rank"),
    [
        ("logs/rank_00437.log", 437), ("rank3.txt", 3), ("run.rank-12.out", 12), ("1/rank.7/stdout", 7),
        ("/tmp/none_abc/attempt_0/5/stderr.log", 5), ("attempt_1/0/stdout.log", 0), ("worker-3.log", 3),
        ("train_task_9.err", 9), ("stdout_4.log", 4), ("17.log", 17), ("job.out.6", 6),
        ("slurm-123456.out", None), ("build.log", None), ("frank2.log", None), ("2026-03-01.log", None),
        ("log-neuron-cc.txt", None), ("-", None), ("python3.10/site.log", None),
    ],
)  # fmt: skip
def test_names_that_tell_a_rank(path: str, rank: int | None) -> None:
    assert rank_of(path) == rank


@pytest.mark.parametrize(("path", "rank"), [("17.log", None), ("app.log.1", None), ("rank_17.log", 17)])
def test_a_mere_number_tells_no_rank_of_a_log_alone(path: str, rank: int | None) -> None:
    assert rank_of(path, alone=True) == rank


@given(st.sets(st.integers(0, 300)))
def test_ranges_say_what_they_were_made_of(ranks: set[int]) -> None:
    said = set()
    for part in filter(None, ranges(ranks).split(", ")):
        first, _, last = part.partition("-")
        said |= set(range(int(first), int(last or first) + 1))
    assert said == ranks


def log(rank: int, size: int, skew: float, steps: int, end: float) -> bytes:
    """A healthy rank: start at its own pace, then a step a second, in step with the others."""
    jitter = random.Random(rank).uniform(0, 9)
    rows = [(jitter, f"rank {rank} of world size {size} starts"), (jitter + 0.1, "loading the checkpoint")]
    rows += [(20.0 + n, f"step {n} loss 2.{rank:03}") for n in range(steps)]
    rows = [row for row in rows if row[0] <= end]
    return "".join(f"{START + timedelta(seconds=at + skew)} INFO {text}\n" for at, text in rows).encode()


def read(logs: dict[str, bytes]) -> Clocks:
    clocks = Clocks()
    for path, text in logs.items():
        assert b"".join(clocks.watch(path, [text])) == text
    return clocks


def test_a_skewed_clock_is_found_and_a_late_start_is_not_taken_for_one() -> None:
    clocks = read({f"rank{n}.log": log(n, 8, 37.5 if n == 3 else 0.0, 40, 60) for n in range(8)})
    assert clocks.offsets() == {"rank3.log": 37.5}


@pytest.mark.parametrize("seed", range(50))
def test_the_first_failing_rank_of_a_seeded_incident(seed: int) -> None:
    """One rank fails, a second right after it; the others wait; clocks are off, and a log may be missing."""
    chance = random.Random(seed)
    size = chance.choice([4, 8, 32, 100])
    culprit, second = chance.sample(range(size), 2)
    skews = {n: chance.choice([0.0, 0.0, chance.uniform(-90, 90)]) for n in range(size)}
    lost = set(chance.sample([n for n in range(size) if n != culprit], chance.choice([0, 1])))
    names = {n: f"logs/rank_{n:03}.log" for n in range(size) if n not in lost}
    clocks = read({names[n]: log(n, size, skews[n], 60, 90) for n in names})
    base = seconds(str(START)) or 0.0
    failures = []
    for order, n in enumerate(chance.sample(sorted(names), len(names))):
        true = 80.0 if n == culprit else 80.5 if n == second else 80.2 + chance.random()
        cause = n in (culprit, second)
        failures.append(Failure(names[n], None, base + true + skews[n], order, cause))
    judged = judge(failures, clocks.samples, clocks.offsets())
    assert judged
    ranks, _ = judged
    assert ranks.first_failed == culprit
    assert set(ranks.failed) == {culprit, second} - lost
    assert set(ranks.waited) == set(names) - {culprit, second}
    assert set(ranks.silent) == lost


def test_a_rank_that_stopped_long_before_is_silent() -> None:
    logs = {f"rank{n}.log": log(n, 4, 0.0, 400, 120 if n == 2 else 420) for n in range(4)}
    clocks = read(logs)
    cause = Failure("rank1.log", None, (seconds(str(START)) or 0) + 430, 9, True)
    judged = judge([cause], clocks.samples, clocks.offsets())
    assert judged
    assert (judged[0].first_failed, judged[0].silent) == (1, (2,))
    assert any("behind in steps: ranks 2 ended at" in remark for remark in judged[1])


def test_prefixes_in_one_log_tell_ranks_and_who_fell_silent() -> None:
    early = b"".join(b"[rank%d]: step 1\n" % (n % 4) for n in range(100))
    late = b"".join(b"[rank%d]: step 2\n" % (n % 3) for n in range(100))
    clocks = Clocks()
    list(clocks.watch("all.log", [early, late, late]))
    judged = judge([Failure("all.log", 1, None, 5, True)], clocks.samples, {})
    assert judged
    assert judged[0] == Ranks(1, (1,), (), (3,))


def test_without_times_over_several_logs_no_first_is_claimed() -> None:
    clocks = read({"rank0.log": b"a\n", "rank1.log": b"b\n"})
    both = [Failure(f"rank{n}.log", None, None, n, True) for n in range(2)]
    judged = judge(both, clocks.samples, {})
    assert judged
    assert (judged[0].first_failed, judged[0].failed) == (None, (0, 1))


def test_a_run_without_ranks_has_none() -> None:
    clocks = read({"build.log": b"x\n", "worker-1.log": b"y\n"})
    assert judge([Failure("build.log", None, None, 1, True)], clocks.samples, {}) is None


def test_names_that_do_not_tell_logs_apart_are_not_ranks() -> None:
    clocks = read({"a/rank0.log": b"x\n", "b/rank0.log": b"x\n"})
    assert not cohort(clocks.samples).known


def test_another_message_of_the_roots_own_kind_is_a_failure_and_no_waiting() -> None:
    def finding(id: str, role: str, rank: int) -> Finding:
        sightings = (Sighting("a.log", rank, rank + 1),)
        return Finding(id, True, id, "host", "error", role, 1.0, 1, {}, (), sightings=sightings)  # type: ignore[arg-type]

    findings = (finding("PY-E", "root", 0), finding("PY-E", "context", 1), finding("COL-T", "context", 2))
    found = with_ranks(Diagnosis((), findings), {}, {}).ranks
    assert found == Ranks(0, (0, 1), (2,), ())


def lost(*ranks: int) -> Finding:
    """That ranks of one log lost another one: the only failure that is known."""
    line = Evidence("all.log", 3, 3, "[rank1]: ConnectionResetError: [Errno 104] Connection reset by peer", rank=1)
    sightings = tuple(Sighting("all.log", rank, rank + 1) for rank in ranks)
    return Finding("HOST-C", True, "x", "host", "error", "root", 1.0, 1, {}, (line,), sightings=sightings)


@pytest.mark.parametrize(
    ("seen", "waited", "silent"),
    [
        ((0, 1, 2, 3), (0, 1, 3), (2,)),  # it prints no failure
        ((0, 1, 3), (0, 1, 3), (2,)),  # there is no log of it
        ((0, 1, 2, 3), (0,), ()),  # it may be any of many
        ((0, 1, 2), (0, 1, 2), ()),
        ((5, 7), (5, 7), ()),  # some of the logs of a large run
    ],
)
def test_who_only_lost_another_one_did_not_fail_first(
    seen: tuple[int, ...], waited: tuple[int, ...], silent: tuple[int, ...]
) -> None:
    clocks = read({"all.log": b"".join(b"[rank%d]: step 1\n" % rank for rank in seen)})
    found = with_ranks(Diagnosis((), (lost(*waited),)), clocks.samples, {})
    if len({*seen, *waited}) > 1:
        assert found.ranks == Ranks(None, (), waited, silent)
        assert any("which alone can say why" in note for note in found.notes)


def test_another_failure_of_its_own_is_no_waiting() -> None:
    def finding(id: str, role: str, rank: int, text: str) -> Finding:
        line = Evidence("a.log", rank + 1, rank + 1, text, rank=rank)
        seen = (Sighting("a.log", rank, rank + 1),)
        return Finding(id, True, id, "host", "error", role, 1.0, 1, {}, (line,), sightings=seen)  # type: ignore[arg-type]

    found = [finding("A", "root", 1, "KeyError: 'a'"), finding("B", "context", 0, "ValueError: b")]
    assert with_ranks(Diagnosis((), tuple(found)), {}, {}).ranks == Ranks(1, (0, 1), (), ())


@pytest.mark.parametrize(
    ("line", "rank"),
    [
        ("[rank3]: step 1", 3), ("[rank3]:10:00:01 step 1", 3), ("rank 3: step 1", 3), ("[default3]:10:00:01 step", 3),
        ("[3]: step 1", 3), ("[3]:step", 3), ("3: step 1", 3), ("[1,3]<stderr>:step 1", 3), ("[1,3]<stdout>: step", 3),
        ("[1,mpirank:3,algo-1]<stdout>:step 1", 3), ("(RayTrainWorker pid=77, ip=10.0.0.5) [rank3]: step 1", 3),
        ("10:00:01 step 1", None), ("[10:00:01] step 1", None), ("1:00:01 step 1", None), ("[1,3] step 1", None),
        ("(pid=77) 10:00:01 step 1", None),
    ],
)  # fmt: skip
def test_prefixes_that_tell_a_rank(line: str, rank: int | None) -> None:
    sample = read({"all.log": b"start\n" + line.encode() + b"\n"}).samples["all.log"]
    assert set(sample.ranks) == ({rank} if rank is not None else set())


def test_a_window_begins_with_a_line() -> None:
    """Whatever stands at its edge is a part of a line."""
    rows = [b"%d [rank3]: step %d 7: x\n" % (n, n) for n in range(9000)]
    for cut in range(40):
        assert not read({"all.log": b"".join(rows) + b"x" * cut}).samples["all.log"].ranks


def test_who_says_something_is_not_silent() -> None:
    """Whatever prefix it has, of which the sample of a log need not know."""
    clocks = read({"all.log": b"".join(b"[rank%d]: WORLD_SIZE=4\n" % rank for rank in range(2))})
    found = with_ranks(Diagnosis((), (lost(2, 3),)), clocks.samples, {})
    assert found.ranks == Ranks(None, (), (2, 3), (0, 1))
