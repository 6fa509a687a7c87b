"""A task: one input, a slice of a long one, or a piece of one that was unpacked elsewhere → all that it tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from neurontriage.claims.part import FIRST, Part, Place
from neurontriage.claims.reading import Reading
from neurontriage.errors import TriageError
from neurontriage.facts.clocks import Sample
from neurontriage.incident.watched import Watched
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.arranged import arranged
from neurontriage.read.inputs import Input, packed_name
from neurontriage.read.interrupt import Interrupt
from neurontriage.read.slices import SLICE, Slice, Span, slice_of, sliced, spans
from neurontriage.read.sparing import spared, to_its_fault
from neurontriage.read.trail import Trail

_BUNDLE, _MOST_TASKS = 2 << 20, 200
_WORTH_UNPACKING = 1 << 20
Held = Callable[[Iterable[bytes]], Iterable[bytes]]
"""How the text of a piece is held until another process has read it."""


class Task(NamedTuple):
    """What is read at a time. `span`: a slice of the input; `piece`: a slice that is at hand, of the log `name`."""

    one: Input
    span: Span | None = None
    name: str = ""
    piece: Slice | None = None

    @property
    def size(self) -> int:
        """About how many bytes it is."""
        if self.piece is not None:
            return self.piece.size or SLICE
        return SLICE if self.span else self.one.size or _BUNDLE // 16


@dataclass(eq=False, repr=False)
class Told:
    """What a task on the input `name` gives, in a form that can be sent. `named`: files that its logs name."""

    name: str
    parts: list[Part] = field(default_factory=list)
    samples: Mapping[str, Sample] = field(default_factory=dict)
    named: list[str] = field(default_factory=list)
    left_out: dict[str, None] = field(default_factory=dict)
    faults: dict[str, TriageError] = field(default_factory=dict)
    report: str | None = None


def tasks(inputs: Iterable[Input]) -> Iterator[Task]:
    """The tasks that inputs mean, in order."""
    for one in inputs:
        slices = spans(one)
        yield from [Task(one, span) for span in slices] or [Task(one)]


def unpacked_here(one: Input) -> bool:
    """Whether one process had better unpack an input for the others: it is a pipe, or long and compressed."""
    piped = one.path is None and "://" not in one.name
    return piped or (one.size >= _WORTH_UNPACKING and not spans(one) and packed_name(one.name))


def pieces(one: Input, watched: Watched, held: Held) -> Iterator[Task]:
    """The logs in an input as tasks that hold their text."""
    for name, content in spared(one):
        yield from pieces_of(one, name, arranged(watched.blocks(name, content)), held)


def pieces_of(one: Input, name: str, content: Iterable[bytes], held: Held | None) -> Iterator[Task]:
    """A log, or a part of one, as tasks that hold their text. `held`: they are sent, so that it is all at hand."""
    for piece in sliced(content):
        if held is not None:
            piece.body = held(piece.body)
            piece.last = b""
        yield Task(one, None, name, piece)


def bundles(all_tasks: Iterable[Task], most_bytes: int = 0, most: int = _MOST_TASKS) -> Iterator[list[Task]]:
    """Tasks in groups that are worth sending."""
    most_bytes = most_bytes or _BUNDLE
    bundle: list[Task] = []
    size = 0
    for task in all_tasks:
        bundle.append(task)
        size += task.size
        if size >= most_bytes or len(bundle) >= most:
            yield bundle
            bundle, size = [], 0
    if bundle:
        yield bundle


def parts(task: Task, reading: Reading, watched: Watched, begin: Place = FIRST) -> Iterator[Part]:
    """Read a task; `reading` only lends what it knows, nothing is added to it. `begin`: where it is in the incident."""
    if task.piece is not None:
        yield reading.part_of(task.name, task.piece, begin)
    elif task.span is not None:
        piece = slice_of(task.one, task.span)
        content = to_its_fault(task.one.name, piece.body, task.one)
        piece.body = watched.blocks(task.one.name, content, piece.continues)
        yield reading.part_of(task.one.name, piece, begin)
    else:
        for name, content in spared(task.one):
            for piece in sliced(arranged(watched.blocks(name, content))):
                part = reading.part_of(name, piece, begin)
                yield part
                begin = part.end
                del part  # it is no longer held here


def told(task: Task, reading: Reading, watched: Watched) -> Told:
    """Read a task to its end. `watched` sees this task only."""
    found = list(parts(task, reading, watched))
    trail = watched.trail.named if watched.trail else ()
    one = task.one
    return Told(one.name, found, watched.clocks.samples, list(trail), one.left_out, one.faults, watched.report)


def read_here(listed: Iterable[Task], catalog: Catalog, interrupt: Interrupt) -> list[Told]:
    """Read tasks, one after the other, in this process."""
    reading = Reading(catalog)
    return [told(task, reading, Watched(Trail(()), (interrupt,))) for task in listed]
