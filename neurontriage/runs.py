"""Several runs in one log: each is diagnosed for itself, the last that failed is the answer, all are listed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from neurontriage.claims.interrupt import ended_from_outside
from neurontriage.claims.part import Part
from neurontriage.claims.reading import Reading
from neurontriage.facts.runs import apart
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis, Finding, Run, Verdict
from neurontriage.read.slices import sliced

Conclude = Callable[[Reading], Diagnosis]


def by_run(path: str, content: Callable[[], Iterable[bytes]], catalog: Catalog, conclude: Conclude) -> Diagnosis:
    """The diagnosis of a log that may hold several runs; `content` gives its blocks, and gives them again."""
    reading = Reading(catalog)
    reading.read(path, content())
    whole, starts = conclude(reading), reading.part.begins.starts()
    if not starts:
        return whole
    runs = ((line, (reading.part_of(path, one) for one in sliced(run))) for line, run in apart(content(), starts))
    return of_last_failed(whole, starts, (conclude(run_of(path, line, parts, catalog)) for line, parts in runs))


def run_of(path: str, line: int, parts: Iterable[Part], catalog: Catalog) -> Reading:
    """The parts of a log that are one run, which begins at this line (from 1), as a reading of its own."""
    reading = Reading(catalog)
    reading.go_on(path, line)
    for part in parts:
        part.continues = True
        reading.take(part)
    return reading


def of_last_failed(whole: Diagnosis, starts: Sequence[int], each: Iterable[Diagnosis]) -> Diagnosis:
    """Of several runs in one log the answer for the last that failed, else for the last; all are listed.

    `whole`: the answer for all of it together, which has read every line, and which stays where `each`, the answers
    for the runs in their order, are fewer than there are. `starts`: the first lines of the later runs. Of the answers
    no more are held at a time than the one that may be it.
    """
    verdicts: list[Verdict] = []
    before: list[Finding] = []
    chosen = whole
    for number, one in enumerate(each):
        last = number == len(starts)
        verdicts.append(one.verdict)
        if not last and _stopped(one):
            before.append(replace(one.roots[0], severity="warning", role="context"))
        elif one.verdict == "failed" or (last and chosen is whole):
            chosen = one
    if len(verdicts) <= len(starts):
        return whole
    path, lines = whole.inputs[0].path, whole.inputs[0].lines
    ends = [*(start - 1 for start in starts), lines]
    return replace(
        chosen,
        inputs=whole.inputs,
        findings=(*before, *chosen.findings),
        runs=tuple(Run(path, *run) for run in zip([1, *starts], ends, verdicts, strict=True)),
        environment={**whole.environment, **chosen.environment},
        unparsed=whole.unparsed,
    )


def _stopped(run: Diagnosis) -> bool:
    """A run that was stopped from outside and started again: no failure, unless the next one fails too."""
    return any(ended_from_outside(root.evidence[0].text) for root in run.roots[:1] if root.evidence)
