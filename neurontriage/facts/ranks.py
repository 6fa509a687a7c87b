"""Who failed in a distributed run: ranks from prefixes and file names, the first that failed, who only waited, who is
silent. Pure functions of what was seen; `facts/clocks.py` takes the sample.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from neurontriage.facts.clocks import Sample
from neurontriage.model import Diagnosis, Finding, Ranks
from neurontriage.parse.times import seconds

_BEHIND = 2
_TORCHRUN = re.compile(r"(?:^|/)attempt_\d+/(\d{1,5})/(?:stdout|stderr)[^/]*$")  # its --log-dir; on one host
_LATE = 120.0
_MOST_WORLD = 1 << 20
# What launchers call the log of one process, or its folder; the number is its rank.
_NAMES = (
    re.compile(r"(?:^|[^a-z])rank[-_.= ]?(\d{1,6})(?!\d)", re.IGNORECASE),
    re.compile(r"(?:^|/)(?:stdout|stderr|worker|task|proc|process|trainer|std|log)[-_.]?(\d{1,6})(?:\.\w+)*$"),
    re.compile(r"(?:^|/)[\w.-]*?[-_.](?:worker|task|proc|process|trainer|w|t|r)[-_.]?(\d{1,6})(?:\.\w+)*$"),
    re.compile(r"(?:^|/)[\w.-]*?\.(?:out|err|log)\.(\d{1,6})$"),  # mpirun --output-filename, per-rank suffixes
    re.compile(r"(?:^|/)(\d{1,6})\.(?:log|out|err|txt)$"),
)


@dataclass(frozen=True, slots=True)
class Failure:
    """That a rank printed a failure. `cause`: it is the root cause, not a consequence of it.

    `time`: in seconds, None where none is printed; `order`: of reading, over all logs.
    """

    path: str
    rank: int | None
    time: float | None
    order: int
    cause: bool


@dataclass(frozen=True)
class Cohort:
    """Everybody in the run. `of`: the rank of a log that belongs to one rank; `known`: all ranks that were seen."""

    of: Mapping[str, int]
    known: frozenset[int]
    missing: frozenset[int] = frozenset()

    def rank(self, failure: Failure) -> int | None:
        """The rank that a failure belongs to."""
        return failure.rank if failure.rank is not None else self.of.get(failure.path)


@lru_cache(maxsize=4096)
def rank_of(path: str) -> int | None:
    """The rank that the name of a log tells: `rank_00437.log`, `attempt_0/3/stderr.log`, `train.worker-7.out`."""
    folder, _, own = path.rpartition("/")
    for part in (own, folder.rpartition("/")[2]):
        for name in _NAMES:
            if found := name.search(part):
                return int(found[1])
    local = _TORCHRUN.search(path)
    return int(local[1]) if local else None


def cohort(samples: Mapping[str, Sample]) -> Cohort:
    """The ranks of an incident. File names count only where they tell the logs apart; a printed world size, if sane."""
    named = {path: rank for path in samples if (rank := rank_of(path)) is not None}
    if len(named) < 2 or len(set(named.values())) < len(named):
        named = {}
    known = frozenset(named.values()) | {rank for sample in samples.values() for rank in sample.ranks}
    world = max((sample.world for sample in samples.values()), default=0)
    sane = len(known) > 1 and max(known) < world <= min(_MOST_WORLD, 64 * len(known))
    return Cohort(named, known, frozenset(range(world)) - known if sane else frozenset())


def judge(
    failures: Sequence[Failure], samples: Mapping[str, Sample], offsets: Mapping[str, float]
) -> tuple[Ranks, tuple[str, ...]] | None:
    """Who failed first, who failed, who waited, who is silent; and remarks for the reader. None without ranks."""
    everybody = cohort(samples)
    ranked = [one for one in failures if everybody.rank(one) is not None]
    if len(everybody.known | {everybody.rank(one) for one in ranked}) < 2:
        return None
    causes = sorted((one for one in ranked if one.cause), key=lambda one: _when(one, offsets, everybody))
    failed = {_of(everybody, one) for one in causes}
    waited = {_of(everybody, one) for one in ranked} - failed
    first = _of(everybody, causes[0]) if causes and _comparable(causes, failed) else None
    silent = everybody.missing | (_fell_silent(everybody, samples, offsets) - failed - waited)
    ranks = Ranks(first, tuple(sorted(failed)), tuple(sorted(waited)), tuple(sorted(silent)))
    return ranks, (*_clock_remarks(offsets, everybody), *_pace_remarks(everybody, samples))


def _of(everybody: Cohort, failure: Failure) -> int:
    return everybody.rank(failure) or 0


def _when(failure: Failure, offsets: Mapping[str, float], everybody: Cohort) -> tuple[float, int, int]:
    """By the corrected time; without times, by the order in one log."""
    time = (failure.time or 0.0) - offsets.get(failure.path, 0.0)
    return time, failure.order, _of(everybody, failure)


def _comparable(causes: Sequence[Failure], failed: set[int]) -> bool:
    """Whether their order is known: one log, times in all, or one rank only."""
    same = len({one.path for one in causes}) == 1
    return same or all(one.time is not None for one in causes) or len(failed) == 1


def _fell_silent(everybody: Cohort, samples: Mapping[str, Sample], offsets: Mapping[str, float]) -> set[int]:
    """Ranks with an empty log, whose log ends long before the others', or that stop while others go on in one log."""
    silent = {rank for path, rank in everybody.of.items() if not samples[path].size}
    ends = {path: samples[path].last or 0.0 for path in everybody.of if samples[path].last is not None}
    corrected = {path: end - offsets.get(path, 0.0) for path, end in ends.items()}
    if len(corrected) > 2:
        middle = sorted(corrected.values())[len(corrected) // 2]
        silent |= {everybody.of[path] for path, end in corrected.items() if end < middle - _LATE}
    for sample in samples.values():
        silent |= {rank for rank, window in sample.ranks.items() if window + _BEHIND <= sample.windows}
    return silent


def _clock_remarks(offsets: Mapping[str, float], everybody: Cohort) -> Iterable[str]:
    """By how much clocks differ, the largest first."""
    for path, offset in sorted(offsets.items(), key=lambda one: (-abs(one[1]), one[0]))[:3]:
        who = f"rank {everybody.of[path]}" if path in everybody.of else path
        way = "ahead of" if offset > 0 else "behind"
        yield f"the clock of {who} is {abs(offset):.3g} s {way} the others; times are compared without that"


def _pace_remarks(everybody: Cohort, samples: Mapping[str, Sample]) -> Iterable[str]:
    """Which ranks are behind in the steps that they print."""
    for name in sorted({name for path in everybody.of for name in samples[path].steps}):
        last = {everybody.of[path]: samples[path].steps[name] for path in everybody.of if name in samples[path].steps}
        if len(last) < 3:
            continue
        most = max(last.values())
        behind = {rank: step for rank, step in last.items() if step + _BEHIND <= most}
        if behind and len(behind) * 2 < len(last):
            yield f"behind in {name}s: ranks {ranges(behind)} ended at {max(behind.values())}, others at {most}"


def ranges(ranks: Iterable[int]) -> str:
    """Ranks as people write them: `0-436, 438-999`."""
    found: list[tuple[int, int]] = []
    for rank in sorted(set(ranks)):
        if found and found[-1][1] == rank - 1:
            found[-1] = (found[-1][0], rank)
        else:
            found.append((rank, rank))
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in found)


def with_ranks(diagnosis: Diagnosis, samples: Mapping[str, Sample], offsets: Mapping[str, float]) -> Diagnosis:
    """The diagnosis with who failed first, who failed, who waited, who is silent; as it is where there are no ranks."""
    errors = [finding for finding in diagnosis.findings if finding.severity == "error"]
    failures = [failure for finding in errors for failure in _failures(finding)]
    judged = judge(failures, samples, offsets)
    if judged is None or not errors:
        return diagnosis
    return replace(diagnosis, ranks=judged[0], notes=(*diagnosis.notes, *judged[1]))


def _failures(finding: Finding) -> Iterator[Failure]:
    """Where a finding was printed: its evidence, and the ranks that are only counted."""
    cause = finding.role == "root"
    for order, one in enumerate(finding.evidence):
        yield Failure(one.path, one.rank, seconds(one.time), one.line or order, cause)
    shown = {one.rank for one in finding.evidence}
    for rank in finding.ranks:
        if rank not in shown and not cause:
            yield Failure("", rank, None, 0, False)
