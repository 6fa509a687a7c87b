"""Paths → diagnoses: one incident of all logs, or every log for itself; spares what can be read, tells what cannot."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from neurontriage.claims.part import Part
from neurontriage.claims.placed import in_file
from neurontriage.claims.reading import Reading
from neurontriage.errors import TriageError
from neurontriage.facts.ranks import with_ranks
from neurontriage.incident.crew import Crew, ReadBy, others, workers_for
from neurontriage.incident.runs import with_runs
from neurontriage.incident.watched import Watched
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.allocated import give_back, keep_little
from neurontriage.lines.remembered import RELIEF, forget
from neurontriage.model import Diagnosis
from neurontriage.read.context import with_context
from neurontriage.read.inputs import Input
from neurontriage.read.interrupt import Interrupt
from neurontriage.read.slices import sliced
from neurontriage.read.sparing import gathered, spared
from neurontriage.read.spooled import Spooled
from neurontriage.read.trail import Trail, error_text
from neurontriage.render.memory import advised
from neurontriage.render.progress import Progress
from neurontriage.triage import concluded

if TYPE_CHECKING:
    from neurontriage.incident.good import Good

_SHOWN = 3
_LONG = 8 << 20
"""Bytes whose reading leaves more free memory than it takes time to give it back."""


@dataclass(eq=False, repr=False)
class Logs:
    """What was read: a diagnosis of all logs, or one of each; `notes` on what could not be read.

    `interrupted`: the user stopped it, so that only the beginning was read. `result_json`: an input that is no log.
    `missing`: files that the logs name and that are not at hand.
    """

    diagnoses: list[Diagnosis] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    interrupted: bool = False
    result_json: str | None = None
    missing: tuple[str, ...] = ()


class Way(NamedTuple):
    """How an incident is read. `each`: every log for itself. `context`: whether with the lines around all evidence.

    That is asked when all is read, as a format may take memory.
    `follow`: folders in which files that the logs name are looked for, besides those of the logs; None for not at all.
    `workers`: how many processes read, 0 for as many as are worth it; the answer is the same for any number of them.
    `others`: who reads instead, on other hosts. `good`: logs of runs that went well.
    `kept`: what is kept of an answer, as of thousands of logs not all of it can be.
    """

    each: bool = False
    context: Callable[[], bool] = bool
    follow: Sequence[Path] | None = ()
    workers: int = 1
    others: ReadBy | None = None
    good: Sequence[str] = ()
    kept: Callable[[Diagnosis], Diagnosis] = lambda found: found


_PLAIN = Way()


def read(paths: Sequence[str], catalog: Catalog, way: Way = _PLAIN) -> Logs:
    """Read and explain. Raises TriageError where nothing is left that can be read."""
    with Interrupt() as interrupt:
        return _read(paths, catalog, way, interrupt)


def _read(paths: Sequence[str], catalog: Catalog, way: Way, interrupt: Interrupt) -> Logs:
    good = _good(way.good, catalog) if way.good else None
    inputs, faults = gathered(paths)
    inputs.sort(key=lambda one: one.name)
    logs = Logs()
    trail = Trail([*_folders(inputs), *way.follow]) if way.follow is not None and not way.each else None
    size = sum(one.size for one in inputs)
    progress = Progress(size)
    if size >= _LONG:
        keep_little()
    try:
        watched = Watched(trail, (interrupt, progress))
        who = way.others or others(workers_for(inputs, way.workers))
        crew = Crew(catalog, who, interrupt, progress, list if way.others else Spooled)
        told = _told(inputs, logs, watched, crew)
        named = {one.name: one for one in inputs}
        for reading in _readings(told, catalog, way.each):
            own = _own(reading, named) if way.each else inputs
            found = _concluded(reading, own, good, crew if len(inputs) == 1 else crew._replace(others=None))
            del reading  # before the lines around its evidence are read
            if not way.each:
                found = with_ranks(found, watched.clocks.samples, watched.clocks.offsets())
            logs.diagnoses.append(way.kept(_completed(found, own, logs.missing, way)))
        logs.interrupted, logs.result_json = interrupt.asked, watched.report
    finally:
        progress.close()
    for met in _faults(inputs):
        faults |= met
    logs.notes = [*_left_out(inputs), *(f"{error.message}" for error in faults.values())]
    _refuse_nothing(logs, paths, faults)
    return logs


def _good(paths: Sequence[str], catalog: Catalog) -> Good:
    from neurontriage.incident.good import read_good

    return read_good(paths, catalog)


def _concluded(reading: Reading, inputs: Sequence[Input], good: Good | None, crew: Crew) -> Diagnosis:
    """The answer for the run that counts, or what differs from good runs."""
    if good is None:
        return with_runs(reading, inputs, crew)
    good.calm(reading)
    return good.compared(in_file(concluded(reading), reading.part.places), inputs)


def _own(reading: Reading, named: Mapping[str, Input]) -> list[Input]:
    """The inputs that hold the logs of a reading, by their names: to ask each of thousands would take long."""
    paths = [source.path for source in reading.part.sources]
    names = [path[:end] for path in paths for end, sign in enumerate(f"{path}!") if sign == "!"]
    return [named[name] for name in names if name in named]


def _completed(found: Diagnosis, inputs: Sequence[Input], missing: tuple[str, ...], way: Way) -> Diagnosis:
    """An answer with what is worth collecting, and what the lines around its evidence say.

    A log that could not be read to its end does not show that all went well.
    """
    faulty = {name for met in _faults(inputs) for name in met}
    cut = any(source.path in faulty for source in found.inputs)
    found = replace(found, collect=missing if found.roots else (), ended_well=found.ended_well and not cut)
    return advised(with_context(found, inputs, telling=not way.context()))


def _faults(inputs: Iterable[Input]) -> Collection[dict[str, TriageError]]:
    """What went wrong in reading the inputs, by log: inputs that came of one share what they met."""
    return {id(one.faults): one.faults for one in inputs}.values()


def _readings(found: Iterable[Part], catalog: Catalog, each: bool) -> Iterator[Reading]:
    """All parts as one reading, or one for each log."""
    held = [] if each else [Reading(catalog)]
    for part in found:
        if each and not part.continues and held:
            yield held.pop()  # it is no longer held here
        if not held:
            held.append(Reading(catalog))
        held[0].take_slice(part)
        del part  # or it would be held until the reading is concluded
        RELIEF.give()
    long = sum(source.bytes for reading in held for source in reading.part.sources) >= _LONG
    forget(patterns=long)
    if long:
        give_back()
    while held:
        yield held.pop()


def _told(inputs: list[Input], logs: Logs, watched: Watched, crew: Crew) -> Iterator[Part]:
    """What all inputs say; then what those say that they name and that are at hand, which join the inputs."""
    yield from crew.parts(inputs, watched)
    if watched.trail is None:
        return
    followed, logs.missing = watched.trail.followed()
    reading = Reading(crew.catalog)
    for one in followed:
        for name, content in spared(one):
            for piece in sliced(error_text(content) if name.endswith(".json") else content):
                yield reading.part_of(name, piece)
    inputs += followed


def _folders(inputs: Iterable[Input]) -> list[Path]:
    """The folders of the logs: what they name may lie beside them."""
    return list(dict.fromkeys(one.path.parent for one in inputs if one.path is not None))


def _left_out(inputs: Iterable[Input]) -> list[str]:
    """Which files were found beside the logs and are no text."""
    names = [name for found in {id(one.left_out): one.left_out for one in inputs}.values() for name in found]
    if not names:
        return []
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return [f"left out {len(names)} binary file(s): {', '.join(names[:_SHOWN])}{more}"]


def _refuse_nothing(logs: Logs, paths: Sequence[str], faults: dict[str, TriageError]) -> None:
    """Ends with exit code 2 where no log gave a single byte and something was at fault."""
    sources = [source for one in logs.diagnoses for source in one.inputs]
    if faults and not any(source.bytes for source in sources):
        raise next(iter(faults.values()))
    if not sources:
        hint = "name the log itself; of a NEFF or an HLO proto, the log of its compile (log-neuron-cc.txt)"
        raise TriageError("no-logs", f"{', '.join(paths)}: holds no text log", "at least one file of text", hint)
