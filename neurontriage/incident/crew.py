"""Who reads the tasks: this process alone, or several of them; what they say comes in the order of the inputs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from neurontriage.claims.part import FIRST, Part
from neurontriage.claims.reading import Reading
from neurontriage.incident.task import Held, Task, Told, bundles, parts, pieces, read_here, tasks, unpacked_here
from neurontriage.incident.watched import Watched
from neurontriage.knowledge.catalog import Catalog
from neurontriage.read.inputs import Input, packed_name
from neurontriage.read.interrupt import Interrupt
from neurontriage.render.progress import Progress

_WORTH_IT = 16 << 20
_UNPACKED = 10
"""How many times its size a compressed log is taken to be."""


def workers_for(inputs: Sequence[Input], asked: int) -> int:
    """How many processes are worth their start, where the user does not say (0): none more for what is read at once."""
    if asked:
        return asked
    size = sum(one.size * (_UNPACKED if packed_name(one.name) else 1) for one in inputs)
    return cores() if size >= _WORTH_IT else 1


def cores() -> int:
    """The processors that this process may use: by its affinity, and by the quota of its container (cgroup v2)."""
    usable = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    with suppress(OSError, ValueError):
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        usable = min(usable, max(1, int(quota) // int(period)))
    return usable


ReadBy = Callable[[Iterable[Task], Catalog, Interrupt], Iterator[Told]]
"""Others that read tasks with a catalogue until they are interrupted: what the tasks tell, in their order."""


def others(workers: int) -> ReadBy | None:
    """So many processes on this host; None for this one alone."""
    return partial(_by_processes, workers) if workers > 1 else None


def _by_processes(workers: int, listed: Iterable[Task], catalog: Catalog, interrupt: Interrupt) -> Iterator[Told]:
    """What tasks tell; where they are one group, no other process is started, which would have nothing to do."""
    rest = bundles(listed)
    first = list(islice(rest, 2))
    if len(first) < 2:
        yield from (one for group in first for one in read_here(group, catalog, interrupt))
        return
    from neurontriage.incident.pool import read_by

    yield from read_by(workers, chain(first, rest), catalog, interrupt)


class Crew(NamedTuple):
    """This process, or the `others`. `progress` is told what they have read, `interrupt` ends their work.

    `held`: how the text is held that is sent to them; those on this host need not be sent it.
    """

    catalog: Catalog
    others: ReadBy | None
    interrupt: Interrupt
    progress: Progress
    held: Held = list

    def parts(self, inputs: Iterable[Input], watched: Watched) -> Iterator[Part]:
        """What the inputs say, in their order; `watched` has seen it, or gets what the workers saw."""
        if self.others is None:
            yield from self._alone(inputs, watched)
            return
        given = {one.name: one for one in inputs}
        here = Watched(watched.trail, (self.interrupt,), watched.clocks)
        for found in self.others(_prepared(given.values(), here, self.held), self.catalog, self.interrupt):
            self.progress.add(sum(source.bytes for part in found.parts for source in part.sources))
            watched.clocks.take(found.samples)
            watched.report = found.report or watched.report
            if watched.trail is not None:
                watched.trail.take(found.name, found.samples, found.named)
            given[found.name].left_out.update(found.left_out)
            given[found.name].faults.update(found.faults)
            yield from found.parts

    def _alone(self, inputs: Iterable[Input], watched: Watched) -> Iterator[Part]:
        reading, begin = Reading(self.catalog), FIRST
        for task in tasks(inputs):
            if self.interrupt.asked and task.one.name != "-":
                return
            for part in parts(task, reading, watched, begin):
                yield part
                begin = part.end
                del part  # it is no longer held here


def _prepared(inputs: Iterable[Input], watched: Watched, held: Held) -> Iterator[Task]:
    """Tasks; of what one process had better unpack, those that hold their text."""
    for one in inputs:
        yield from pieces(one, watched, held) if unpacked_here(one) else tasks([one])
