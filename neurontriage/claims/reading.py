"""Blocks of one log after another → claims, and what the logs print about themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from neurontriage.claims.claim import Claim
from neurontriage.claims.collect import Claims
from neurontriage.claims.events import Reader
from neurontriage.claims.match import match
from neurontriage.claims.record import Joiner
from neurontriage.facts.compiles import Compiles
from neurontriage.facts.hlo_modules import Modules, Retries
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.flood import Repeats
from neurontriage.lines.scan import Cutter
from neurontriage.model import Said, Source


@dataclass
class Reading:
    """What has been read of an incident so far."""

    catalog: Catalog
    sources: list[Source] = field(default_factory=list)
    modules: Modules = field(default_factory=Modules)
    retries: Retries = field(default_factory=Retries)
    compiles: Compiles = field(default_factory=Compiles)

    def __post_init__(self) -> None:
        """Make what needs the catalogue."""
        self.reader, self._claims = Reader(self.catalog), Claims(self.catalog)
        self._repeats = Repeats(self.catalog.ordered, self.catalog.words)

    def read(self, path: str, content: Iterable[bytes]) -> None:
        """Add one log."""
        cutter = Cutter(path, self.catalog.engine, self.catalog.patterns)
        for event in Joiner().join(self.reader.read(self._repeats.thin(cutter.cut(content)))):
            self.modules.read(event)
            self.compiles.read(event)
            self._claims.add(match(event, self.catalog), self.retries.quoted(event))
        self.sources.append(Source(path, cutter.bytes, cutter.lines))

    @property
    def lines(self) -> int:
        """How many lines all logs have."""
        return sum(source.lines for source in self.sources)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, for the reader."""
        left = self._claims.passed_over
        return (f"{left:,} more lines with words of failure were counted, not weighed",) if left else ()

    @property
    def tail(self) -> tuple[Said, ...]:
        """What the last lines say."""
        return tuple(self._claims.tail)

    @property
    def ended_well(self) -> bool:
        """Whether something known ran and nothing was left in the middle of its work."""
        states = {module.status for module in self.modules.found()}
        done = any(not claim.event.said.words.isdisjoint({"SUCCESS", "ENDED"}) for claim in self._claims.found.values())
        return (done or bool(states & {"passed", "cached"})) and "running" not in states

    def claims(self) -> list[Claim]:
        """All claims, in the order of the log; to be asked once, when everything is read."""
        for sign in self.compiles.signs():
            self._claims.add(match(sign, self.catalog))
        self._claims.repeat(self._repeats.skipped())
        self._claims.recover(module.module for module in self.modules.found() if module.status == "passed")
        return self._claims.listed()
