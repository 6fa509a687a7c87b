"""Several runs in one log: each is diagnosed for itself, the last that failed is the answer, all are listed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from neurontriage.claims.interrupt import ended_from_outside
from neurontriage.claims.part import Part
from neurontriage.claims.placed import in_file
from neurontriage.claims.reading import Reading
from neurontriage.facts.restarts import JOB
from neurontriage.facts.runs import Begins, apart
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.arranged import arranged
from neurontriage.model import Diagnosis, Finding, Run, Verdict
from neurontriage.read.slices import from_line, sliced

LONG, END = 256 << 10, 128 << 10
"""Bytes of a run of which first only the end is read, if another one may be the answer; and how many these are."""
_LEAST = 3
"""Lines that a job which was started again prints at least; less are the last words of its launcher."""
Conclude = Callable[[Reading], Diagnosis]
Each = Callable[[Sequence[int], bool], Iterator[tuple[int, Diagnosis]]]
"""The answers for the runs that begin at these lines, in their order, or (True) for the ends of those that are LONG."""


def by_run(path: str, content: Callable[[], Iterable[bytes]], catalog: Catalog, conclude: Conclude) -> Diagnosis:
    """The diagnosis of a log that may hold several runs; `content` gives its blocks, and gives them again."""
    reading = Reading(catalog)
    reading.read(path, content())
    whole, begins = conclude(reading), reading.begins
    if not (starts := begins.starts()):
        return in_file(whole, reading.part.places)
    reading.let_go()

    def each(lines: Sequence[int], ends: bool) -> Iterator[tuple[int, Diagnosis]]:
        for line, run in apart(arranged(content()), starts):
            if line in lines and (text := end_of(run) if ends else run):
                parts = (reading.part_of(path, one) for one in sliced(text))
                yield line, conclude(run_of(path, line, parts, catalog))

    return in_file(of_last_failed(whole, begins, each), reading.part.places)


def run_of(path: str, line: int, parts: Iterable[Part], catalog: Catalog) -> Reading:
    """The parts of a log that are one run, which begins at this line (from 1), as a reading of its own."""
    reading, long = Reading(catalog), False
    reading.go_on(path, line)
    for part in parts:
        long, part.continues = long or part.goes_on, True
        (reading.take_slice if long else reading.take)(part)
        del part  # or it would be held while the next one is read
    if long:
        reading.read_through()
    return reading


def end_of(run: Iterable[bytes]) -> list[bytes]:
    """The lines that begin in the last END bytes of a run, if it is LONG."""
    kept, size, whole = deque[bytes](), 0, 0
    for block in run:
        kept.append(block)
        size, whole = size + len(block), whole + len(block)
        while size - len(kept[0]) > END:
            size -= len(kept.popleft())
    return [from_line(b"".join(kept)[-END - 1 :], True)] if whole >= LONG else []


def of_last_failed(whole: Diagnosis, begins: Begins, each: Each) -> Diagnosis:
    """Of several runs in one log the answer for the last that failed, else for the last; all are listed.

    `whole`: the answer for all of it together, which has read every line, and which stays where `each` gives less than
    it was asked for. `begins`: where the later runs begin. A program that failed and went well when it was started
    again has not failed. Of a long run that another one followed, the end is read first: where that says that it
    failed, all of it is read only if it is the answer. No more answers are held at a time than may be it.
    """
    lines = [1, *begins.starts()]
    runs = _Runs(begins, lines, [*(start - 1 for start in lines[1:]), whole.inputs[0].lines])
    runs.works = whole.verdict != "failed" and {*begins.programs().values()} == {JOB}
    for line, end in each(lines[:-1], True):
        if end.verdict == "failed" and not _stopped(end):
            runs.found[line] = _Outcome("failed")
    unread = [line for line in lines if line not in runs.found]
    while unread:
        for line, one in each(tuple(unread), False):
            runs.take(line, one)
            unread.remove(line)
        if unread:
            return whole
        unread = [runs.answer] if runs.answer not in runs.answers else []
    chosen, outcomes = runs.answers[runs.answer], [runs.found[line] for line in lines]
    if runs.of_another(whole) and _led_to(whole, chosen):
        chosen = whole
    before = [replace(one.stopped, severity="warning", role="context") for one in outcomes[:-1] if one.stopped]
    listed = zip(lines, runs.ends, (one.verdict for one in outcomes), strict=True)
    return replace(
        chosen,
        inputs=whole.inputs,
        findings=(*before, *chosen.findings),
        runs=tuple(Run(whole.inputs[0].path, *run) for run in listed),
        environment={**whole.environment, **chosen.environment},
        unparsed=whole.unparsed,
    )


def _led_to(whole: Diagnosis, chosen: Diagnosis) -> bool:
    """Whether an entry says that what failed in an earlier run is the cause of what failed in this one."""
    lines = {found.evidence[0].line for found in chosen.roots if found.evidence}
    told = (
        found for found in whole.findings if found.role == "consequence" and found.why and found.why.kind == "entry"
    )
    return any(found.evidence[0].line in lines for found in told if found.evidence)


class _Outcome(NamedTuple):
    """How a run ended. `stopped`: what says that it was stopped from outside; `given_up`: only its launcher speaks."""

    verdict: Verdict
    stopped: Finding | None = None
    well: bool = False
    given_up: bool = False


@dataclass(eq=False, repr=False)
class _Runs:
    """The runs of a log by their first `lines`. `answers`: those of the last run, and of others that may be it.

    `works`: all of the log together says that the job which was started again works.
    """

    begins: Begins
    lines: Sequence[int]
    ends: Sequence[int]
    works: bool = False
    found: dict[int, _Outcome] = field(default_factory=dict)
    answers: dict[int, Diagnosis] = field(default_factory=dict)

    def take(self, line: int, one: Diagnosis) -> None:
        """What a run says that was read from its beginning to its end."""
        stopped = one.roots[0] if _stopped(one) else None
        well = self.works or _well(one, self.begins.prompted(line))
        self.found[line] = _Outcome(one.verdict, stopped, well, _given_up(one, self.begins.launcher(line)))
        self.answers[line] = one
        kept = {*self._failed().values(), self.lines[-1]}
        self.answers = {line: answer for line, answer in self.answers.items() if line in kept}

    @property
    def answer(self) -> int:
        """The run that the answer is for."""
        return [self.lines[-1], *self._failed().values()][-1]

    def of_another(self, whole: Diagnosis) -> bool:
        """Whether the root of all of the log is of another program than the answer, which was not started again."""
        above = [line for line in self.lines if whole.roots and line <= whole.roots[0].evidence[0].line]
        programs = self.begins.programs()
        return bool(above) and programs.get(above[-1]) != programs.get(self.answer)

    def _failed(self) -> dict[str, int]:
        """The last run of each program that failed, if it did not go well after that."""
        programs, failed = self.begins.programs(), dict[str, int]()
        for line, end in zip(self.lines, self.ends, strict=True):
            name, one = programs.get(line, ""), self.found.get(line)
            if one is None or (one.stopped and line != self.lines[-1]) or (one.given_up and name in failed):
                continue
            if one.verdict == "failed":
                failed.pop(name, None)
                failed[name] = line
            elif name and one.well and (name != JOB or end - line >= _LEAST):
                failed.pop(name, None)
        return failed


def _well(run: Diagnosis, prompted: bool) -> bool:
    """Whether a run that has not failed went well: it says so, or the prompt came again and nobody had stopped it."""
    said = (found.evidence[0].text for found in run.findings if found.evidence and found.severity != "benign")
    return run.ended_well or (prompted and not any(map(ended_from_outside, said)))


def _given_up(run: Diagnosis, launcher: str) -> bool:
    """Whether all that fails in a run is what its launcher says: it started nothing."""
    said = [found.evidence[0].text for found in run.findings if found.severity == "error" and found.evidence]
    return bool(launcher and said) and all(f"{launcher}: " in text for text in said)


def _stopped(run: Diagnosis) -> bool:
    """A run that was stopped from outside and started again: no failure, unless the next one fails too."""
    return any(ended_from_outside(root.evidence[0].text) for root in run.roots[:1] if root.evidence)
