"""A failed log that holds several runs is read once more, run by run."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

from neurontriage.claims.part import Part
from neurontriage.claims.placed import in_file
from neurontriage.claims.reading import Reading
from neurontriage.facts.runs import apart
from neurontriage.incident.crew import Crew, ReadBy
from neurontriage.incident.task import Held, Task, pieces_of, told
from neurontriage.incident.watched import Watched
from neurontriage.lines.arranged import arranged
from neurontriage.model import Diagnosis
from neurontriage.read.inputs import Input
from neurontriage.read.slices import Span, cut, places, plain_text
from neurontriage.read.sparing import spared
from neurontriage.runs import END, LONG, end_of, of_last_failed, run_of
from neurontriage.triage import concluded

_WORTH_SENDING = 16 << 20
OfRun = tuple[int, Iterable[Task]]
"""The first line (from 1) of a run, and its slices, each to be read before the next is asked for."""


def with_runs(reading: Reading, inputs: Sequence[Input], crew: Crew) -> Diagnosis:
    """The answer for the run that counts, where the one log of a reading holds several.

    Only where something was found, so that healthy logs are read once. Pipes cannot be read again, and the files of
    several ranks are runs side by side: both stay as they are, as does what was interrupted or has changed since.
    """
    places = reading.part.places
    return in_file(_whole(reading, inputs, crew), places)


def _whole(reading: Reading, inputs: Sequence[Input], crew: Crew) -> Diagnosis:
    whole = concluded(reading)
    starts = reading.begins.starts()
    if not starts or len(whole.inputs) != 1 or whole.verdict not in ("failed", "warned"):
        return whole
    path = whole.inputs[0].path
    one = next((one for one in inputs if one.holds(path) and one.path is not None and one.path.is_file()), None)
    if one is None:
        return whole
    alone = one.name != path or one.size < _WORTH_SENDING
    reader = crew._replace(others=None) if alone else crew
    held, moved = reader.held if reader.others else None, bool(reading.part.places)
    runs = _Runs(replace(one, faults={}, left_out={}), path, starts, held, moved)
    begins = reading.begins
    reading.let_go()

    def each(lines: Sequence[int], ends: bool) -> Iterator[tuple[int, Diagnosis]]:
        found = _read(runs.ends(lines) if ends else runs.all(lines), reader)
        return ((line, concluded(run_of(path, line, parts, crew.catalog))) for line, parts in found)

    return of_last_failed(whole, begins, each)


def _read(runs: Iterable[OfRun], crew: Crew) -> Iterator[tuple[int, Iterator[Part]]]:
    """(first line of a run, what its slices say), in order; nothing more when what a slice says is lost."""
    if crew.others is not None:
        parts = _parts(runs, crew.others, crew)
        yield from ((line, (part for _, part in found)) for line, found in groupby(parts, itemgetter(0)))
        return
    reading, lost = Reading(crew.catalog), list[Task]()

    def here(tasks: Iterable[Task]) -> Iterator[Part]:
        for task in tasks:
            found = [] if crew.interrupt.asked else told(task, reading, Watched(None, (crew.interrupt,))).parts
            lost.extend([] if found else [task])
            while found:
                yield found.pop(0)  # it is no longer held here
            if lost:
                return

    for line, tasks in runs:  # no run is read before the one above it is concluded, so that one is held at a time
        if lost:
            return
        yield line, here(tasks)


def _parts(runs: Iterable[OfRun], others: ReadBy, crew: Crew) -> Iterator[tuple[int, Part]]:
    """(first line of the run, what a slice of it says), read by others. Each task gives one part."""
    lines: list[int] = []

    def sent() -> Iterator[Task]:
        for line, tasks in runs:
            for task in tasks:
                lines.append(line)
                yield task

    for number, one in enumerate(others(sent(), crew.catalog, crew.interrupt)):
        if not one.parts:
            return
        yield from ((lines[number], part) for part in one.parts)


class _Runs:
    """The runs of a log in their slices. `held`: how text is held that is unpacked here and sent to others, if any.

    `moved`: its lines stand elsewhere in its file."""

    def __init__(self, one: Input, path: str, starts: Sequence[int], held: Held | None, moved: bool) -> None:
        self.one, self.path, self.starts, self.held = one, path, starts, held
        self.lows = [0, *places(one.path, starts)] if one.path is not None and not moved and plain_text(one) else None

    def all(self, lines: Container[int]) -> Iterator[OfRun]:
        """The runs that begin at these lines."""
        for line, low, high in self._plain(lines):
            yield line, [Task(self.one, span) for span in cut(self.one, low, high)]
        for line, run in self._packed(lines):
            yield line, pieces_of(self.one, self.path, run, self.held)

    def ends(self, lines: Container[int]) -> Iterator[OfRun]:
        """The ends of those of them that are long, and that others follow."""
        for line, low, high in self._plain(lines):
            if high is not None and high - low >= LONG:
                yield line, [Task(self.one, Span(high - END, high, high - END, high))]
        for line, run in self._packed(lines):
            if end := end_of(run):
                yield line, pieces_of(self.one, self.path, end, self.held)

    def _plain(self, lines: Container[int]) -> Iterator[tuple[int, int, int | None]]:
        """Of a file of plain text the first line of each run, and where it begins and ends."""
        lows = self.lows or ()
        found = zip([1, *self.starts], lows, [*lows[1:], None], strict=False)
        yield from (one for one in found if one[0] in lines)

    def _packed(self, lines: Container[int]) -> Iterator[tuple[int, Iterator[bytes]]]:
        """Of all others the first line of each run, and its blocks."""
        for name, content in spared(self.one) if self.lows is None else ():
            if name == self.path:
                yield from (run for run in apart(arranged(content), self.starts) if run[0] in lines)
                return
