"""Several runs in one log: each is diagnosed for itself, the last that failed is the answer, all are listed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from neurontriage.claims.interrupt import ended_from_outside
from neurontriage.facts.runs import Openings, apart
from neurontriage.model import Diagnosis, Run

Diagnose = Callable[[Iterable[bytes]], Diagnosis]


def by_run(diagnose: Diagnose, content: Callable[[], Iterable[bytes]]) -> Diagnosis:
    """The diagnosis of a log that may hold several runs; `content` gives its blocks, and gives them again."""
    openings = Openings()
    whole = diagnose(openings.watch(content()))
    return of_last_failed(whole, openings.starts, diagnose, content) if openings.starts else whole


def of_last_failed(
    whole: Diagnosis, starts: Sequence[int], diagnose: Diagnose, content: Callable[[], Iterable[bytes]]
) -> Diagnosis:
    """Of several runs in one log the answer for the last that failed, else for the last; all are listed.

    `whole`: the answer for all of it together, which has read every line. `starts`: the first lines of the later runs.
    """
    path, lines = whole.inputs[0].path, whole.inputs[0].lines
    each = [diagnose(run) for run in apart(content(), starts)]
    ends = [*(start - 1 for start in starts), lines]
    runs = [Run(path, begin, end, one.verdict) for begin, end, one in zip([1, *starts], ends, each, strict=True)]
    stopped = [one for one in each[:-1] if _stopped(one)]
    failed = [one for one in each if one.verdict == "failed" and one not in stopped]
    chosen = [*each[-1:], *failed][-1]
    before = [replace(one.roots[0], severity="warning", role="context") for one in stopped]
    return replace(
        chosen,
        inputs=whole.inputs,
        findings=(*before, *chosen.findings),
        runs=tuple(runs),
        environment={**whole.environment, **chosen.environment},
        unparsed=whole.unparsed,
    )


def _stopped(run: Diagnosis) -> bool:
    """A run that was stopped from outside and started again: no failure, unless the next one fails too."""
    return any(ended_from_outside(root.evidence[0].text) for root in run.roots[:1] if root.evidence)
