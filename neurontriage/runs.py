"""Several runs in one log: each is diagnosed for itself, the last that failed is the answer, all are listed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from neurontriage.claims.interrupt import ended_from_outside
from neurontriage.claims.part import Part
from neurontriage.claims.reading import Reading
from neurontriage.facts.restarts import JOB
from neurontriage.facts.runs import Begins, apart
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis, Finding, Run, Verdict
from neurontriage.read.slices import sliced

_LEAST = 3
"""Lines that a job which was started again prints at least; less are the last words of its launcher."""
Conclude = Callable[[Reading], Diagnosis]


def by_run(path: str, content: Callable[[], Iterable[bytes]], catalog: Catalog, conclude: Conclude) -> Diagnosis:
    """The diagnosis of a log that may hold several runs; `content` gives its blocks, and gives them again."""
    reading = Reading(catalog)
    reading.read(path, content())
    whole, begins = conclude(reading), reading.part.begins
    if not (starts := begins.starts()):
        return whole
    reading.let_go()
    runs = ((line, (reading.part_of(path, one) for one in sliced(run))) for line, run in apart(content(), starts))
    return of_last_failed(whole, begins, (conclude(run_of(path, line, parts, catalog)) for line, parts in runs))


def run_of(path: str, line: int, parts: Iterable[Part], catalog: Catalog) -> Reading:
    """The parts of a log that are one run, which begins at this line (from 1), as a reading of its own."""
    reading = Reading(catalog)
    reading.go_on(path, line)
    for part in parts:
        part.continues = True
        reading.take(part)
    return reading


def of_last_failed(whole: Diagnosis, begins: Begins, each: Iterable[Diagnosis]) -> Diagnosis:
    """Of several runs in one log the answer for the last that failed, else for the last; all are listed.

    `whole`: the answer for all of it together, which has read every line, and which stays where `each`, the answers
    for the runs in their order, are fewer than there are. `begins`: where the later runs begin. A program that failed
    and went well when it was started again has not failed. No more answers are held at a time than may be it.
    """
    first, *starts = [1, *begins.starts()]
    programs, verdicts, before = begins.programs(), list[Verdict](), list[Finding]()
    failed: dict[str, Diagnosis] = {}
    chosen = whole
    path, lines = whole.inputs[0].path, whole.inputs[0].lines
    ends = [*(start - 1 for start in starts), lines]
    for line, end, one in zip([first, *starts], ends, each, strict=False):
        last, name = line == [first, *starts][-1], programs.get(line, "")
        verdicts.append(one.verdict)
        if not last and _stopped(one):
            before.append(replace(one.roots[0], severity="warning", role="context"))
        elif one.verdict == "failed":
            failed = {other: found for other, found in failed.items() if other != name} | {name: one}
        elif name and _well(one, begins.prompted(line)) and (name != JOB or end - line >= _LEAST):
            failed.pop(name, None)
        chosen = one if last else chosen
    if len(verdicts) <= len(starts):
        return whole
    chosen = [chosen, *failed.values()][-1]
    return replace(
        chosen,
        inputs=whole.inputs,
        findings=(*before, *chosen.findings),
        runs=tuple(Run(path, *run) for run in zip([first, *starts], ends, verdicts, strict=True)),
        environment={**whole.environment, **chosen.environment},
        unparsed=whole.unparsed,
    )


def _well(run: Diagnosis, prompted: bool) -> bool:
    """Whether a run that has not failed went well: it says so, or the prompt came again and nobody had stopped it."""
    said = (found.evidence[0].text for found in run.findings if found.evidence and found.severity != "benign")
    return run.ended_well or (prompted and not any(map(ended_from_outside, said)))


def _stopped(run: Diagnosis) -> bool:
    """A run that was stopped from outside and started again: no failure, unless the next one fails too."""
    return any(ended_from_outside(root.evidence[0].text) for root in run.roots[:1] if root.evidence)
