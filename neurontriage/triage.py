"""START HERE. The whole way of a line: bytes → blocks → lines → events → claims → evidence graph → Diagnosis."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import cast

from neurontriage.claims.interrupt import ended_from_outside
from neurontriage.claims.reading import Reading
from neurontriage.facts.runs import Openings, apart
from neurontriage.knowledge.catalog import Catalog, load
from neurontriage.model import Diagnosis, Run
from neurontriage.ranking.decide import decide
from neurontriage.ranking.features import Scene
from neurontriage.ranking.findings import finding
from neurontriage.read.inputs import Input, blocks, logs

Log = tuple[str, Iterable[bytes]]
Watch = Callable[[str, Iterable[bytes]], Iterable[bytes]]


def explain(inputs: Iterable[Input], catalog: Catalog, watch: Watch = lambda _, content: content) -> Diagnosis:
    """Read all inputs as one incident, and say what broke and why; `watch` sees every block go by."""
    return diagnose(((name, watch(name, content)) for one in inputs for name, content in logs(one)), catalog)


def explain_text(text: str, path: str = "<text>", catalog: Catalog | None = None) -> Diagnosis:
    """The same for a log that is already in memory."""
    catalog, openings = catalog or load(), Openings()
    whole = diagnose([(path, openings.watch(_blocks(text, path)))], catalog)
    return of_last_failed(whole, openings.starts, _blocks(text, path), catalog) if openings.starts else whole


def _blocks(text: str, path: str) -> Iterable[bytes]:
    return blocks(cast("io.BufferedReader", io.BytesIO(text.encode("utf-8", "replace"))), path)


def of_last_failed(whole: Diagnosis, starts: Sequence[int], content: Iterable[bytes], catalog: Catalog) -> Diagnosis:
    """Of several runs in one log the answer for the last that failed, else for the last; all are listed.

    `whole`: the answer for all of it together, which has read every line. `starts`: the first lines of the later runs.
    """
    path, lines = whole.inputs[0].path, whole.inputs[0].lines
    each = [diagnose([(path, run)], catalog) for run in apart(content, starts)]
    ends = [*(start - 1 for start in starts), lines]
    runs = tuple(Run(path, begin, end, one.verdict) for begin, end, one in zip([1, *starts], ends, each, strict=True))
    failed = [one for one in each if one.verdict == "failed" and not (one is not each[-1] and _stopped(one))]
    chosen = [*each[-1:], *failed][-1]
    environment = {**whole.environment, **chosen.environment}
    return replace(chosen, inputs=whole.inputs, runs=runs, environment=environment, unparsed=whole.unparsed)


def _stopped(run: Diagnosis) -> bool:
    """A run that was stopped from outside and started again: no failure, unless the next one fails too."""
    return any(ended_from_outside(root.evidence[0].text) for root in run.roots[:1] if root.evidence)


def diagnose(incident: Iterable[Log], catalog: Catalog) -> Diagnosis:
    """Blocks of one or more logs → the Diagnosis."""
    reading = Reading(catalog)
    for path, content in incident:
        reading.read(path, content)
    return concluded(reading)


def concluded(reading: Reading) -> Diagnosis:
    """What has been read → the Diagnosis."""
    part, catalog = reading.part, reading.catalog
    judged = decide(Scene(reading.claims(), reading.lines, catalog.briefs, reading.tail), catalog)
    environment = catalog.releases.with_sdk(part.environment.values())
    return Diagnosis(
        inputs=tuple(part.sources),
        findings=tuple(finding(claim, catalog, environment) for claim in judged.claims),
        environment=environment,
        notes=(*catalog.releases.ended(environment), *reading.notes),
        modules=part.modules.found(),
        compiles=part.compiles.statistics(part.modules.found()),
        unparsed=reading.unparsed,
        suspects=judged.suspects,
        ended_well=reading.ended_well,
        knowledge={"entries": catalog.count, "digest": catalog.digest},
    )
