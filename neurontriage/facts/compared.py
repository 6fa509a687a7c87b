"""Ranks compared with each other: who is behind or slow, who went on after a warning, what only one of them says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from neurontriage.facts.clocks import Sample
from neurontriage.facts.cohort import Cohort, ranges
from neurontriage.model import Finding, Ranks

_BEHIND = 2
_FEW, _MOST_SAID, _LONGEST = 3, 3, 100
_SLOW = 1.25
"""A rank is slow when its steps take so many times what those of the median rank take."""


def pace(everybody: Cohort, samples: Mapping[str, Sample]) -> Iterable[str]:
    """Which ranks are behind in the steps that they print."""
    for name in sorted({name for path in everybody.of for name in samples[path].steps}):
        last = {everybody.of[path]: samples[path].steps[name] for path in everybody.of if name in samples[path].steps}
        if len(last) < 3:
            continue
        most = max(last.values())
        behind = {rank: step for rank, step in last.items() if step + _BEHIND <= most}
        if behind and len(behind) * 2 < len(last):
            yield f"behind in {name}s: ranks {ranges(behind)} ended at {max(behind.values())}, others at {most}"


def compared(
    findings: Iterable[Finding], ranks: Ranks, everybody: Cohort, samples: Mapping[str, Sample]
) -> Iterator[str]:
    """Remarks for the reader. `findings`: of all severities, each with where every rank printed it first."""
    listed = list(findings)
    yield from slow(everybody, samples)
    yield from _after_warnings(listed, everybody, samples)
    yield from _alone(listed, ranks, everybody)


def slow(everybody: Cohort, samples: Mapping[str, Sample]) -> Iterator[str]:
    """Stragglers, where the logs print how long a step takes."""
    times: dict[int, list[float]] = {}
    for path, sample in samples.items():
        for rank, took in sample.paces.items():
            own = everybody.of.get(path) if rank is None else rank
            if own is not None:
                times.setdefault(own, []).append(took)
    if len(times) < _FEW:
        return
    from statistics import median  # brings decimal numbers and fractions along

    middles = {rank: median(seen) for rank, seen in times.items()}
    usual = median(middles.values())
    late = {rank: middle for rank, middle in middles.items() if usual and middle > _SLOW * usual}
    if late and len(late) * 2 < len(middles):
        most = max(late.values())
        yield f"stragglers: steps of ranks {ranges(late)} take up to {most:.3g}, of the median rank {usual:.3g}"


def _after_warnings(findings: Sequence[Finding], everybody: Cohort, samples: Mapping[str, Sample]) -> Iterator[str]:
    """Which ranks printed further steps after a warning: for them it was not the end."""
    said = 0
    for finding in findings:
        if finding.severity != "warning" or said == _MOST_SAID:
            continue
        went: set[int] = set()
        stuck: set[int] = set()
        for one in finding.sightings:
            rank = everybody.of.get(one.path)
            if rank is not None and one.path in samples:
                (went if samples[one.path].progress > one.line else stuck).add(rank)
        if went:
            said += 1
            others = f", ranks {ranges(stuck)} did not" if stuck else ""
            yield f"after {finding.id} ranks {ranges(went)} went on with their steps{others}"


def _alone(findings: Sequence[Finding], ranks: Ranks, everybody: Cohort) -> Iterator[str]:
    """What only the rank that failed first printed, before it failed."""
    first = ranks.first_failed
    roots = [one for f in findings if f.role == "root" for one in f.sightings if everybody.rank(one) == first]
    if first is None or not roots or len(everybody.known) < _FEW:
        return
    end = min((one.line for one in roots), default=0)
    path = roots[0].path
    order = {"error": 0, "warning": 1, "benign": 2}
    own = [f for f in findings if f.role != "root" and {everybody.rank(one) for one in f.sightings} == {first}]
    before = [f for f in own if any(one.path == path and one.line < end for one in f.sightings)]
    for finding in sorted(before, key=lambda f: (order[f.severity], f.sightings[0].line))[:_MOST_SAID]:
        said = finding.title if len(finding.title) <= _LONGEST else finding.title[: _LONGEST - 1] + "…"
        yield f"before it failed, only rank {first} printed: {said} (line {finding.sightings[0].line})"
