"""What one log, or a part of an incident, says: everything in it can be pickled, and parts can be put together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from neurontriage.claims.claim import Claim
from neurontriage.claims.collect import Gathered
from neurontriage.claims.endings import Endings
from neurontriage.claims.match import Match
from neurontriage.claims.sequence import IN_LINE
from neurontriage.facts.compiles import Compiles
from neurontriage.facts.environment import Environment
from neurontriage.facts.hlo_modules import Modules
from neurontriage.facts.runs import Begins
from neurontriage.lines.folds import Folds
from neurontriage.model import Event, Evidence, Source
from neurontriage.read.places import Places


class Place(NamedTuple):
    """A place in an incident: how many lines of the incident come before it, and how many of its log."""

    all: int = 0
    lines: int = 0


FIRST = Place()


@dataclass(eq=False, repr=False)
class Part:
    """A part of an incident that begins at the place `begin`, or is counted as if it did.

    `continues`: its first source is the next slice of the log that the part before it ends with; `goes_on`: the next
    part begins with the next slice of the log that it ends with. `unparsed`: how many
    lines looked like a family and did not parse, `examples`: a few of them (path, line, text). `begins`: where its last
    log begins again. `folds`: which lines of each log were read as several; `places`: where those of a log stand that
    were read in another order, or taken out of rows.
    """

    begin: Place = FIRST
    end: Place = FIRST
    continues: bool = False
    goes_on: bool = False
    sources: list[Source] = field(default_factory=list)
    gathered: Gathered = field(default_factory=Gathered)
    modules: Modules = field(default_factory=Modules)
    compiles: Compiles = field(default_factory=Compiles)
    environment: Environment = field(default_factory=Environment)
    unparsed: int = 0
    examples: list[tuple[str, int, str]] = field(default_factory=list)
    begins: Begins = field(default_factory=Begins)
    endings: Endings = field(default_factory=Endings)
    folds: dict[str, Folds] = field(default_factory=dict)
    places: dict[str, Places] = field(default_factory=dict)

    def follow(self, before: Part) -> None:
        """Count as what comes after another part."""
        to = before.end if self.continues else before.end._replace(lines=0)
        here = self.begin
        move = _Move((to.all - here.all) * IN_LINE, to.lines - here.lines, self.sources[0].path)
        if not move.order and not move.lines:
            return
        for claim in self.gathered.found.values():
            move.claim(claim)
        if move.lines:
            self.compiles.move(move.evidence)
            self.endings.move(move.path, move.lines)
            self.examples = [
                (path, line + move.lines * (path == move.path), text) for path, line, text in self.examples
            ]
        end = self.end
        lines = move.lines * (len(self.sources) == 1)
        self.begin, self.end = to, Place(end.all + to.all - here.all, end.lines + lines)


class _Move(NamedTuple):
    """By how much counts change; `lines` those of one log only."""

    order: int
    lines: int
    path: str

    def claim(self, claim: Claim) -> None:
        claim.place = claim.place[0], claim.place[1] + self.order
        here = self.lines * (claim.event.evidence.path == self.path)
        claim.tried = claim.tried + here if claim.tried else 0
        claim.lasts = {path: line + self.lines * (path == self.path) for path, line in claim.lasts.items()}
        claim.chains = tuple((chain + self.order, number) for chain, number in claim.chains)
        kept = [self.match(one) for one in claim.kept]
        own = (new.event for old, new in zip(claim.kept, kept, strict=True) if old.event is claim.event)
        claim.event, claim.kept = next(own, None) or self.event(claim.event), kept
        claim.runners = tuple(map(self.match, claim.runners))
        if self.lines:
            claim.sightings.move(self.path, self.lines)

    def match(self, match: Match) -> Match:
        return _of(match, self.event(match.event))

    def event(self, event: Event) -> Event:
        chain, number = event.chain
        return event._replace(
            order=event.order + self.order,
            chain=(chain + self.order if chain else 0, number),
            evidence=self.evidence(event.evidence),
            reason=event.reason and self.evidence(event.reason),
        )

    def evidence(self, one: Evidence) -> Evidence:
        if not self.lines or one.path != self.path:
            return one
        return one._replace(line=one.line + self.lines, end_line=one.end_line + self.lines)


def _of(match: Match, event: Event) -> Match:
    """The same match of another event; what it means otherwise is of that event, too."""
    return match._replace(event=event, next=match.next and _of(match.next, event))
