"""`--good`: what a good run prints too is harmless; what differs between the runs is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from neurontriage.claims.reading import Reading
from neurontriage.facts.wording import Wordings
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import NOTHING_NEW, Diagnosis
from neurontriage.read.inputs import Input, logs
from neurontriage.read.sparing import gathered, spared
from neurontriage.render.text import printable

_MOST = 6


@dataclass
class Good:
    """What good runs print: `keys` of their claims, their `wordings`, and the `environment` of the last."""

    keys: set[tuple[str, ...]] = field(default_factory=set)
    wordings: Wordings = field(default_factory=Wordings)
    environment: dict[str, str] = field(default_factory=dict)

    def calm(self, reading: Reading) -> None:
        """Make harmless in a reading what good runs claim too."""
        reading.harmless = frozenset(self.keys)

    def compared(self, diagnosis: Diagnosis, inputs: Sequence[Input]) -> Diagnosis:
        """The diagnosis with what is new, gone or different in the logs that can be read again."""
        said, new = list(_different(self.environment, diagnosis.environment)), False
        for name, content in _again(inputs):
            found = self.wordings.compare(content)
            new = new or bool(found.new)
            if found.new:
                said.append(f"first new line: {name}:{found.new}: {printable(found.text)}")
            if found.gone:
                said.append(f"the good run went on with: {printable(found.gone)}")
        if self.wordings.full:
            said.append("the good logs hold more than was compared")
        return replace(diagnosis, against=(*([] if new else [NOTHING_NEW]), *said[:_MOST]))


def read_good(paths: Sequence[str], catalog: Catalog) -> Good:
    """Logs of runs that went well. Raises TriageError where one cannot be read."""
    good = Good()
    for path in paths:
        inputs, faults = gathered([path])
        for one in inputs:
            for name, content in spared(one):
                reading = Reading(catalog)
                reading.read(name, _noted(content, good.wordings))
                good.keys |= {claim.key for claim in reading.claims()}
                good.environment = reading.part.environment.values()
            faults |= one.faults
        for fault in faults.values():
            raise fault
    return good


def _noted(content: Iterator[bytes], wordings: Wordings) -> Iterator[bytes]:
    for block in content:
        wordings.read([block])
        yield block


def _different(good: Mapping[str, str], bad: Mapping[str, str]) -> Iterator[str]:
    for name in sorted(good.keys() | bad.keys()):
        before, now = good.get(name), bad.get(name)
        if before is not None and now is not None and before != now:
            yield f"{name}: {before} in the good run, {now} here"


def _again(inputs: Sequence[Input]) -> Iterator[tuple[str, Iterator[bytes]]]:
    for one in inputs:
        if one.path is not None and one.path.is_file():
            yield from logs(one)
