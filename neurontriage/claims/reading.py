"""Logs of an incident → claims, and what the logs print about themselves: log by log, or from parts read elsewhere."""

from __future__ import annotations

from collections.abc import Iterable

from neurontriage.claims.claim import Claim
from neurontriage.claims.collect import Claims
from neurontriage.claims.events import Reader
from neurontriage.claims.match import match
from neurontriage.claims.part import Part, Place
from neurontriage.claims.record import Joiner
from neurontriage.facts.hlo_modules import Retries
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.flood import Repeats
from neurontriage.lines.scan import Cutter
from neurontriage.model import Said, Source, Unparsed

_SHOWN = 5


class Reading:
    """What has been read of an incident so far. `part`: all of it, as one part of a larger incident."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog, self.part = catalog, Part()
        self._claims = Claims(catalog, self.part.gathered)
        self._parses: dict[tuple[str, str], tuple[str, dict[str, str]] | None] = {}

    def read(self, path: str, content: Iterable[bytes]) -> None:
        """Add one log."""
        self.take(self._log(path, content))

    def _log(self, path: str, content: Iterable[bytes]) -> Part:
        """One log for itself."""
        catalog, part = self.catalog, Part(self.part.end)
        cutter = Cutter(path, catalog.engine, catalog.patterns)
        repeats = Repeats(catalog.ordered, catalog.words)
        reader = Reader(catalog, part.environment, order=part.begin.events, parses=self._parses)
        joiner, retries = Joiner(catalog.record), Retries()
        claims = Claims(catalog, part.gathered)
        for event in joiner.join(reader.read(repeats.thin(cutter.cut(content)))):
            part.modules.read(event)
            part.compiles.read(event)
            claims.add(match(event, catalog), retries.quoted(event))
        claims.repeat(repeats.skipped())
        part.end = Place(reader.order)
        part.sources = [Source(path, cutter.bytes, cutter.lines)]
        part.unparsed, part.examples = reader.unparsed, reader.examples
        return part

    def take(self, part: Part) -> None:
        """Add the part of the incident that comes next; it belongs to this reading from now on."""
        mine = self.part
        part.move(mine.end)
        mine.end = part.end
        mine.sources += part.sources
        self._claims.take(part.gathered)
        mine.modules.take(part.modules)
        mine.compiles.take(part.compiles)
        mine.environment.take(part.environment)
        mine.unparsed += part.unparsed
        mine.examples = [*mine.examples, *part.examples][:_SHOWN]

    @property
    def lines(self) -> int:
        """How many lines all logs have."""
        return sum(source.lines for source in self.part.sources)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, for the reader."""
        left = self.part.gathered.passed_over
        return (f"{left:,} more lines with words of failure were counted, not weighed",) if left else ()

    @property
    def unparsed(self) -> Unparsed:
        """How many lines looked like a family but did not parse, and a few of them."""
        return Unparsed(self.part.unparsed, tuple(self.part.examples))

    @property
    def tail(self) -> tuple[Said, ...]:
        """What the last lines say."""
        return tuple(self.part.gathered.tail)

    @property
    def ended_well(self) -> bool:
        """Whether something known ran and nothing was left in the middle of its work."""
        states = {module.status for module in self.part.modules.found()}
        claims = self.part.gathered.found.values()
        done = any(not claim.event.said.words.isdisjoint({"SUCCESS", "ENDED"}) for claim in claims)
        return (done or bool(states & {"passed", "cached"})) and "running" not in states

    def claims(self) -> list[Claim]:
        """All claims, in the order of the log; to be asked once, when everything is read."""
        for sign in self.part.compiles.signs():
            self._claims.add(match(sign, self.catalog))
        self._claims.recover(module.module for module in self.part.modules.found() if module.status == "passed")
        return self._claims.listed(self.catalog.releases.known(self.part.environment.values()))
