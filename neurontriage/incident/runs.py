"""A failed log that holds several runs is read once more, run by run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

from neurontriage.claims.part import Part
from neurontriage.claims.reading import Reading
from neurontriage.facts.runs import apart
from neurontriage.incident.crew import Crew
from neurontriage.incident.task import Task, pieces_of
from neurontriage.model import Diagnosis
from neurontriage.read.inputs import Input
from neurontriage.read.slices import cut, places, plain_text
from neurontriage.read.sparing import spared
from neurontriage.runs import of_last_failed, run_of
from neurontriage.triage import concluded

_WORTH_SENDING = 16 << 20
OfRun = tuple[int, Task]
"""The first line (from 1) of a run, and a slice of it."""


def with_runs(reading: Reading, inputs: Sequence[Input], crew: Crew) -> Diagnosis:
    """The answer for the run that counts, where the one log of a reading holds several.

    Only where something was found, so that healthy logs are read once. Pipes cannot be read again, and the files of
    several ranks are runs side by side: both stay as they are, as does what was interrupted or has changed since.
    """
    whole = concluded(reading)
    starts = reading.part.begins.starts()
    if not starts or len(whole.inputs) != 1 or whole.verdict not in ("failed", "warned"):
        return whole
    path = whole.inputs[0].path
    one = next((one for one in inputs if one.path is not None and one.path.is_file() and _holds(one, path)), None)
    if one is None:
        return whole
    alone = one.name != path or len(inputs) > 1 or one.size < _WORTH_SENDING
    reader = crew._replace(others=None) if alone else crew
    tasks = _tasks(replace(one, faults={}, left_out={}), path, starts, reader.others is not None)
    parts = _parts(tasks, reader)
    each = (
        concluded(run_of(path, line, (part for _, part in found), crew.catalog))
        for line, found in groupby(parts, itemgetter(0))
    )
    return of_last_failed(whole, reading.part.begins, each)


def _holds(one: Input, path: str) -> bool:
    return path == one.name or path.startswith(f"{one.name}!")


def _parts(tasks: Iterator[OfRun], crew: Crew) -> Iterator[tuple[int, Part]]:
    """(first line of the run, what a slice of it says). Each task gives one part; nothing more when one is lost."""
    lines: list[int] = []

    def sent() -> Iterator[Task]:
        for line, task in tasks:
            lines.append(line)
            yield task

    for number, told in enumerate(crew.told(sent())):
        if not told.parts:
            return
        yield from ((lines[number], part) for part in told.parts)


def _tasks(one: Input, path: str, starts: Sequence[int], sent: bool) -> Iterator[OfRun]:
    """The slices of every run of a log. `sent`: to another process, with its text where it has to be unpacked."""
    if plain_text(one):
        assert one.path is not None
        lows = [0, *places(one.path, starts)]
        for line, low, high in zip([1, *starts], lows, [*lows[1:], None], strict=False):
            yield from ((line, Task(one, span)) for span in cut(one, low, high))
        return
    for name, content in spared(one):
        if name == path:
            yield from (
                (line, task) for line, run in apart(content, starts) for task in pieces_of(one, path, run, sent)
            )
            return
