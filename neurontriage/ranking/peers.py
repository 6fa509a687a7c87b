"""Processes of one run beside each other: whose own failure it is, and who only misses the one that failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.facts.cohort import rank_of
from neurontriage.facts.peers import speaks_of_others
from neurontriage.lines.prefix import strip
from neurontriage.lines.remembered import remembered
from neurontriage.lines.words import Sought
from neurontriage.model import Event
from neurontriage.ranking.fallen import fallen

Actor = tuple[str, str | None, int | None, str | None]
_NEAR = 60  # lines, which may be of several processes
_NUMBER = expression(r"\d+")
_PID, _HEAD = expression(r"\(pid:? ?(\d{1,10})\)"), 80
"""The process that a launcher reports, and the characters in which a line names its own."""
_KILLED = Sought(r"\bSIGKILL\b|(?i:\b(?:code|status)\W{1,3}(?:-9|137)\b|\bsignal\W{1,3}9\b)")


@dataclass(eq=False, repr=False)
class Waiting:
    """Which claims only speak of other processes, and where each process made one. `some`: claims by identity.

    `reports`: claims, by identity, in which a launcher reports an end that none of them had.
    """

    some: set[int] = field(default_factory=set)
    reports: set[int] = field(default_factory=set)
    events: list[Event] = field(default_factory=list)
    places: dict[Actor, list[int]] = field(default_factory=dict)

    def note(self, claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> None:
        """Take in the claims that wait."""
        for claim in claims:
            if waits(claim, briefs):
                self.some.add(id(claim))
                self.events.append(claim.event)
                for event in (claim.event, *(match.event for match in claim.kept)):
                    self.places.setdefault(actor(event), []).append(event.evidence.line)
        self.reports = set(map(id, fallen(claims))) - self.some if self.some else set()

    def misses(self, likely: Claim, claim: Claim) -> bool:
        """Whether the likely claim is of a process that misses the one of the other claim, which states its own."""
        one = id(claim)
        if one in self.reports:
            return id(likely) in self.some and not _own(likely, claim)
        if one in self.some or not before(claim, likely):
            return False
        return id(likely) in self.some or (
            fellows(claim.event, likely.event)
            and not self._beside(claim)
            and (self._beside(likely) or outnumbers(likely, claim))
        )

    def mourn(self, claim: Claim) -> bool:
        """Whether a process died of a claim, and a fellow of it only speaks of others, below it or in another log."""
        if id(claim) in self.some or not died(claim):
            return False
        path, line = claim.event.evidence.path, claim.last
        return any(
            fellows(claim.event, event) and (event.evidence.path != path or event.evidence.line > line)
            for event in self.events
        )

    def _beside(self, claim: Claim) -> bool:
        """Whether the same process also says, near by, that it misses others."""
        line = claim.event.evidence.line
        return any(abs(place - line) <= _NEAR for place in self.places.get(actor(claim.event), ()))


def _own(claim: Claim, report: Claim) -> bool:
    """Whether it is the process itself that a launcher then reports as ended, which cannot miss itself."""
    found = _PID.search(report.event.evidence.text)
    return found is not None and claim.place < report.place and f":{found[1]}:" in claim.event.evidence.text[:_HEAD]


def outnumbers(likely: Claim, claim: Claim) -> bool:
    """Whether several say the likely claim, and only somebody else the other one, in which its process died."""
    return len(likely.speakers) > 1 and len(claim.speakers) == 1 and claim.speakers.isdisjoint(likely.speakers)


def waits(claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a claim only says that another process did not come, or went away."""
    said = claim.event.said
    if speaks_of_others(strip(claim.event.evidence.text).payload.strip()):
        return True
    if claim.entry is not None:
        brief = briefs[claim.id]
        lacks = brief["general"] and "MISSING" in said.words  # what is not there is no process
        return bool(brief["layer"] == "collectives" and brief["role"] == "symptom" and not lacks)
    return speaks_of_others(said.fields.get("reason", "")) or ("REFUSED" in said.words and claim.layer == "collectives")


def died(claim: Claim) -> bool:
    """Whether a process ended in an exception of its main thread."""
    words = claim.event.said.words
    return claim.event.said.kind == "exception" and "FRAMED" in words and not words & {"THREAD", "QUOTATION"}


def signalled(claim: Claim) -> bool:
    """Whether all that is told of the end of a process is a signal."""
    return claim.says == "wrap" and "SIGNALLED" in claim.event.said.words


def taken(report: Claim, claim: Claim) -> bool:
    """Whether a process was killed from outside, for which what it only warned of before is no reason."""
    said = claim.event.said
    return said.level == "WARNING" and "LIMIT" not in said.words and bool(_KILLED.search(report.event.evidence.text))


def before(cause: Claim, effect: Claim) -> bool:
    """Whether one process may have told of its failure before another one did.

    Ranks of one run print what they lost and why in any order, on clocks of their own.
    """
    one, two = actor(cause.event), actor(effect.event)
    return one != two and (fellows(cause.event, effect.event) or not later(cause, effect))


def later(claim: Claim, other: Claim) -> bool:
    """Whether a claim is known to come after another: in one log by its lines, in two by the times that both print."""
    one, two = claim.event.evidence.path, other.event.evidence.path
    return (one == two or bool(claim.place[0] and other.place[0])) and claim.place > other.place


def fellows(one: Event, other: Event) -> bool:
    """Whether two processes are ranks of one run: both are numbered, or are called the same but for their numbers."""
    mine, its = one.evidence.rank, other.evidence.rank
    if one.evidence.path != other.evidence.path:  # beside another log a mere number in a name is a rank, too
        mine = rank_of(one.evidence.path) if mine is None else mine
        its = rank_of(other.evidence.path) if its is None else its
    if mine is not None and its is not None:
        return mine != its
    names = [(event.host or "", event.process or "") for event in (one, other)]
    return names[0] != names[1] and (kind := _kind(*names[0])) == _kind(*names[1]) and "#" in "".join(kind)


@remembered(1024)
def _kind(*name: str) -> tuple[str, ...]:
    """A name without its numbers."""
    return tuple(_NUMBER.sub("#", part) for part in name)


def actor(event: Event) -> Actor:
    """Who says something, as far as its line tells."""
    return event.evidence.path, event.host, event.evidence.rank, event.process
