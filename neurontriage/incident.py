"""Paths → diagnoses: one incident of all logs, or every log for itself; spares what can be read, tells what cannot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from neurontriage.errors import TriageError
from neurontriage.facts.clocks import Clocks
from neurontriage.facts.ranks import with_ranks
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis
from neurontriage.read.context import with_context
from neurontriage.read.inputs import Input
from neurontriage.read.interrupt import Interrupt
from neurontriage.read.sparing import gathered, spared
from neurontriage.read.trail import Trail, error_text
from neurontriage.render.progress import Progress
from neurontriage.triage import diagnose

_SHOWN = 3
_REPORT = b'"unsupported_operators"'


@dataclass
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


def read(
    paths: Sequence[str],
    catalog: Catalog,
    each: bool = False,
    context: bool = False,
    follow: Sequence[Path] | None = (),
) -> Logs:
    """Read and explain. `context`: with the lines around all evidence, which takes a second pass.

    `follow`: folders in which files that the logs name are looked for, besides those of the logs; None for not at all.

    Raises TriageError where nothing is left that can be read.
    """
    inputs, faults = gathered(paths)
    logs = Logs()
    progress = Progress(sum(one.size for one in inputs))
    try:
        with Interrupt() as interrupt:
            clocks = Clocks()
            trail = Trail([*_folders(inputs), *follow]) if follow is not None and not each else None
            incidents = _logs(inputs, logs, _Watched(progress, interrupt, trail, clocks))
            logs.diagnoses = [diagnose([one], catalog) for one in incidents] if each else [diagnose(incidents, catalog)]
        logs.interrupted = interrupt.asked
        _with_missing(logs)
        if not each:
            offsets = clocks.offsets()
            logs.diagnoses = [with_ranks(one, clocks.samples, offsets) for one in logs.diagnoses]
    finally:
        progress.close()
    faults |= {name: error for one in inputs for name, error in one.faults.items()}
    logs.notes = [*_left_out(inputs), *(f"{error.message}" for error in faults.values())]
    _refuse_nothing(logs, paths, faults)
    logs.diagnoses = [with_context(one, inputs, telling=not context) for one in logs.diagnoses]
    return logs


@dataclass(frozen=True)
class _Watched:
    """What sees every block of every log go by."""

    progress: Progress
    interrupt: Interrupt
    trail: Trail | None
    clocks: Clocks

    def blocks(self, name: str, content: Iterable[bytes]) -> Iterable[bytes]:
        seen = self.clocks.watch(name, self.interrupt.watch(name, content))
        return self.progress.watch(name, self.trail.watch(name, seen) if self.trail else seen)


def _logs(inputs: list[Input], logs: Logs, watched: _Watched) -> Iterator[tuple[str, Iterable[bytes]]]:
    """The logs of all inputs; then those that they name and that are at hand, which join the inputs."""
    for one in inputs:
        for name, content in spared(one):
            if watched.interrupt.asked and name != "<stdin>":
                return
            yield name, watched.blocks(name, _looked_at(name, content, logs))
    if watched.trail is None:
        return
    followed, logs.missing = watched.trail.followed()
    for one in followed:
        for name, content in spared(one):
            yield name, error_text(content) if name.endswith(".json") else content
    inputs += followed


def _folders(inputs: Iterable[Input]) -> list[Path]:
    """The folders of the logs: what they name may lie beside them."""
    return list(dict.fromkeys(one.path.parent for one in inputs if one.path is not None))


def _with_missing(logs: Logs) -> None:
    """What failed logs name and nobody has given is worth collecting."""
    logs.diagnoses = [replace(one, collect=logs.missing) if one.roots else one for one in logs.diagnoses]


def _looked_at(name: str, content: Iterable[bytes], logs: Logs) -> Iterator[bytes]:
    """The blocks of a log; one that is an analyze report is remembered."""
    for number, block in enumerate(content):
        if number == 0 and block[:200].lstrip().startswith(b"{") and _REPORT in block:
            logs.result_json = name
        yield block


def _left_out(inputs: Iterable[Input]) -> list[str]:
    """Which files were found beside the logs and are no text."""
    names = [name for one in inputs for name in one.left_out]
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
