"""What one log, or a part of an incident, says: everything in it can be pickled, and parts can be put together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from neurontriage.claims.claim import Claim
from neurontriage.claims.collect import Gathered
from neurontriage.claims.match import Match
from neurontriage.facts.compiles import Compiles
from neurontriage.facts.environment import Environment
from neurontriage.facts.hlo_modules import Modules
from neurontriage.model import Event, Source


@dataclass(frozen=True, slots=True)
class Place:
    """A place in an incident: how many events come before it."""

    events: int = 0


@dataclass
class Part:
    """A part of an incident that begins at the place `begin`, or is counted as if it were the first one, and its end.

    `unparsed`: how many lines looked like a family and did not parse, `examples`: a few of them.
    """

    begin: Place = Place()
    end: Place = Place()
    sources: list[Source] = field(default_factory=list)
    gathered: Gathered = field(default_factory=Gathered)
    modules: Modules = field(default_factory=Modules)
    compiles: Compiles = field(default_factory=Compiles)
    environment: Environment = field(default_factory=Environment)
    unparsed: int = 0
    examples: list[tuple[str, int, str]] = field(default_factory=list)

    def move(self, begin: Place) -> None:
        """Count as the part of an incident that begins there."""
        if begin == self.begin:
            return
        by = Place(begin.events - self.begin.events)
        for claim in self.gathered.found.values():
            _move(claim, by)
        self.begin, self.end = begin, Place(self.end.events + by.events)


def _move(claim: Claim, by: Place) -> None:
    claim.place = claim.place[0], claim.place[1] + by.events
    claim.event = _moved(claim.event, by)
    claim.kept = [(_match(one, by), rises) for one, rises in claim.kept]
    claim.runners = [_match(one, by) for one in claim.runners]


def _match(match: Match, by: Place) -> Match:
    return replace(match, event=_moved(match.event, by), next=match.next and _match(match.next, by))


def _moved(event: Event, by: Place) -> Event:
    chain, number = event.chain
    return replace(event, order=event.order + by.events, chain=(chain + by.events if chain else 0, number))
