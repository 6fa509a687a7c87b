"""Who failed in a distributed run: the first rank that failed, who only waited, who is silent.

Pure functions of what was seen; `facts/clocks.py` takes the sample.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from neurontriage.facts.clocks import Sample
from neurontriage.facts.cohort import Cohort, cohort, ranges
from neurontriage.facts.compared import compared, pace
from neurontriage.facts.peers import speaks_of_others
from neurontriage.lines.prefix import strip
from neurontriage.model import Diagnosis, Finding, Ranks

_BEHIND = 2
_LATE = 120.0


class Failure(NamedTuple):
    """That a rank printed a failure. `cause`: it is the root cause, not a consequence of it; `own`: it is none of that,
    but a failure of its own all the same.

    `time`: in seconds, None where none is printed; `order`: of reading, over all logs.
    """

    path: str
    rank: int | None
    time: float | None
    order: int
    cause: bool
    own: bool = False


def judge(
    failures: Iterable[Failure], samples: Mapping[str, Sample], offsets: Mapping[str, float]
) -> tuple[Ranks, tuple[str, ...]] | None:
    """Who failed first, who failed, who waited, who is silent; and remarks for the reader. None without ranks."""
    everybody = cohort(samples)
    causes, failing, own = list[Failure](), set[int](), set[int]()
    for one in failures:  # of thousands of logs there are very many
        if (rank := everybody.rank(one)) is not None:
            failing.add(rank)
            own.update([rank] if one.own or one.cause else ())
            causes += [one] if one.cause else []
    if len(everybody.known | failing) < 2:
        return None
    failed, waited = own, failing - own
    silent = (everybody.missing | _fell_silent(everybody, samples, offsets)) - failed - waited
    if failing and not failed:
        silent |= _calm(everybody, waited)
    first = {_of(everybody, one) for one in causes}
    earliest = min(causes, key=lambda one: _when(one, offsets, everybody), default=None)
    ranks = Ranks(
        _of(everybody, earliest) if earliest and _comparable(causes, first) else None,
        tuple(sorted(failed)),
        tuple(sorted(waited)),
        tuple(sorted(silent)),
    )
    return ranks, (*_missed(ranks), *_clock_remarks(offsets, everybody), *pace(everybody, samples))


def _calm(everybody: Cohort, waited: set[int]) -> set[int]:
    """The few ranks that print no failure, or of which there is no log, where all others only miss somebody."""
    known = everybody.known | waited
    few = len(known) // 2
    gaps = frozenset(range(max(known))) - known
    return (
        {*(known - waited), *(gaps if 0 in known and len(gaps) <= few else ())} if len(known - waited) <= few else set()
    )


def _missed(ranks: Ranks) -> Iterator[str]:
    """What to look for where nobody says why."""
    if ranks.waited and not ranks.failed:
        where = f"look first at what became of ranks {ranges(ranks.silent)}" if ranks.silent else "no log here does"
        yield f"ranks {ranges(ranks.waited)} only lost, or waited for, another one, which alone can say why: {where}"


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


def with_ranks(diagnosis: Diagnosis, samples: Mapping[str, Sample], offsets: Mapping[str, float]) -> Diagnosis:
    """The diagnosis with who failed first, who failed, who waited, who is silent; as it is where there are no ranks."""
    errors = [finding for finding in diagnosis.findings if finding.severity == "error"]
    roots = {finding.id for finding in errors if finding.role == "root"}
    if not errors:
        return diagnosis
    judged = judge((failure for finding in errors for failure in _failures(finding, roots)), samples, offsets)
    if judged is None:
        return diagnosis
    remarks = (*judged[1], *compared(diagnosis.findings, judged[0], cohort(samples), samples))
    return replace(diagnosis, ranks=judged[0], notes=(*diagnosis.notes, *remarks))


def _failures(finding: Finding, roots: Collection[str]) -> Iterator[Failure]:
    """Where each rank printed a finding first. Another message of a root's own kind is no waiting for it either.

    What only speaks of others is no cause, even where nothing else is known.
    """
    text = strip(finding.evidence[0].text).payload.strip() if finding.evidence else ""
    others = bool(text) and speaks_of_others(text)
    same = finding.role == "context" and finding.known and finding.id in roots
    cause = (finding.role == "root" or same) and not others
    own = finding.role == "context" and not others and bool(text)
    for one in finding.sightings:
        yield Failure(one.path, one.rank, one.time, one.line, cause, own)
