"""Every line that could state a failure is a Claim: what it says, what an entry says of it, where and how often."""

from __future__ import annotations

from collections.abc import KeysView
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from neurontriage.claims.match import Match
from neurontriage.model import Event, Evidence, Sighting, Why, sort_of

MOST_EVIDENCE = 10
COUNTED = ""
"""In place of the modules that lines name which were only counted."""
_MOST_SIGHTINGS = 20_000
_MOST_SPEAKERS = 64
Speaker = tuple[str | None, int | None, str | None]
ClaimRole = Literal["raise", "wrap", "echo", "exit", "signal", "state", "note"]


@dataclass(eq=False, slots=True)
class Claim:
    """Lines that claim the same. `place`: (time or 0, order of reading) of the first, `lasts`: the last of each log.

    `entry`: the id of the knowledge entry, None where no entry explains it.  `score`: how likely it is the root cause.
    `key`: what its lines have in common; `wide`: the same where there are too many claims to tell all apart.
    `kept`: matches, each with whether it is more specific than all before it, `ordinary`: how many are not; `told`:
    fields that other lines gave. `settle` makes `evidence` and `fields` of these; before, claims can be put together.
    `handled`: how many of its lines the program itself called expected, or handled; `answered`: of these, how many by
    telling a client that its request is at fault; `tried`: the line of the last try,
    0 where there were no tries, or more of them were left.
    `modules`: of which its lines tell that a try to compile them failed, None where they name none; `left`: one of them
    never passed.
    `spoken`: (host, rank, process) of those who say it, the first of them; a set would take twice the memory.
    `chains`: the chains of Python exceptions that its lines belong to, and their places in them: of the first of them.
    `fitting`: whether the log shows the programs or findings that the entry asks for; None when it asks for none.
    """

    id: str
    entry: str | None
    layer: str
    severity: str
    says: ClaimRole
    event: Event
    place: tuple[float, int]
    key: tuple[str, ...] = ()
    wide: tuple[str, ...] = ()
    fields: dict[str, str] = field(default_factory=dict)
    count: int = 0
    handled: int = 0
    answered: int = 0
    tried: int = 0
    lasts: dict[str, int] = field(default_factory=dict)
    weight: tuple[int, ...] = ()
    evidence: list[Evidence] = field(default_factory=list)
    kept: list[tuple[Match, bool]] = field(default_factory=list)
    ordinary: int = 0
    told: dict[str, str] = field(default_factory=dict)
    runners: list[Match] = field(default_factory=list)
    sightings: dict[tuple[str, int | None], Sighting] = field(default_factory=dict)
    spoken: dict[Speaker, None] = field(default_factory=dict)
    time: float | None = None
    modules: set[str | None] = field(default_factory=set)
    chains: tuple[tuple[int, int], ...] = ()
    left: bool = False
    score: float = 0.0
    fitting: bool | None = None
    role: str = "context"
    caused_by: str | None = None
    why: Why | None = None

    @property
    def known(self) -> bool:
        """Whether an entry explains it."""
        return self.entry is not None

    @property
    def ranks(self) -> set[int]:
        """The ranks that print it."""
        return {rank for _, rank in self.sightings if rank is not None}

    @property
    def speakers(self) -> KeysView[Speaker]:
        """Those who say it, as a set."""
        return self.spoken.keys()

    @property
    def last(self) -> int:
        """The last of its lines in the log of its event."""
        return self.lasts.get(self.event.evidence.path, 0)

    @property
    def values(self) -> dict[str, str]:
        """Every field: what the entry's pattern and the family's grammar captured, and the typed words of the line."""
        return {**self.event.said.fields, **self.fields}

    def add(self, match: Match, time: float | None = None) -> None:
        """Take a match in; matches come in the order of the log. `time`: the last that its log printed, in seconds."""
        self.count += 1
        evidence = match.event.evidence
        self.until(evidence.path, evidence.end_line)
        if len(self.spoken) < _MOST_SPEAKERS:
            self.spoken[_speaker(match.event.host, evidence.rank, match.event.process)] = None
        where = _where(evidence.path, evidence.rank)
        if where not in self.sightings and len(self.sightings) < _MOST_SIGHTINGS:
            self.sightings[where] = Sighting(*where, evidence.line, time)
        if match.event.chain[0] and len(self.chains) < MOST_EVIDENCE:
            self.chains += (match.event.chain,)
        self._keep(match)

    def take(self, other: Claim) -> None:
        """Take in the claim of the same lines in a later part of the incident, as if its matches were added here."""
        self.count += other.count
        self.handled += other.handled
        self.answered += other.answered
        self.tried = max(self.tried, other.tried)
        for path, line in other.lasts.items():
            self.until(path, line)
        if len(self.spoken) < _MOST_SPEAKERS:
            self.spoken |= other.spoken
        for where, one in other.sightings.items():
            if len(self.sightings) < _MOST_SIGHTINGS:
                self.sightings.setdefault(where, one)
        self.modules |= other.modules
        self.chains = (*self.chains, *other.chains)[:MOST_EVIDENCE]
        self.told = {**other.told, **self.told}
        if other.id != other.key[0]:
            self.id, self.entry = other.id, other.entry
        self.runners = [*self.runners, *other.runners][:MOST_EVIDENCE]
        for match, _ in other.kept:
            self._keep(match)

    def until(self, path: str, line: int) -> None:
        """Let it go on in a log to this line at least."""
        if line > self.lasts.get(path, 0):
            self.lasts[path] = line

    def _keep(self, match: Match) -> None:
        """Keep a match that is more specific than all before it, and of the others the first that say something new."""
        if rises := match.weight > self.weight and bool(self.kept):
            self.event = match.event
        if rises or (self.ordinary < MOST_EVIDENCE and self._new(match.event)):
            self.kept.append((match if rises or not self.kept else _shown(match), rises))
            self.ordinary += not rises
        self.weight = max(self.weight, match.weight)

    def _new(self, event: Event) -> bool:
        """Whether a line says something that no line shown so far says, but for times and process ids."""
        rank, message = event.evidence.rank, _message(event)
        for match, rises in self.kept:
            one = match.event
            if one.evidence.rank == rank and not rises and _message(one) == message:
                return False
        return True

    def settle(self) -> None:
        """Evidence and fields: of the most specific match first, then in the order of the log."""
        risen = [match for match, rises in reversed(self.kept) if rises]
        shown = [*risen, *(match for match, rises in self.kept if not rises)]
        self.evidence = [line for match in shown for line in lines(match.event)][:MOST_EVIDENCE]
        for match, rises in self.kept:
            self.fields = {**self.fields, **match.fields} if rises else {**match.fields, **self.fields}
        for name, value in self.told.items():
            self.fields.setdefault(name, value)


@lru_cache(maxsize=4096)
def _speaker(host: str | None, rank: int | None, process: str | None) -> Speaker:
    """Each is held once: they say many things."""
    return host, rank, process


@lru_cache(maxsize=4096)
def _where(path: str, rank: int | None) -> tuple[str, int | None]:
    """The same of logs and their ranks."""
    return path, rank


def _message(event: Event) -> str:
    return event.fields.get("message", event.evidence.text)


def _shown(match: Match) -> Match:
    """A match of which no more is needed than its lines, its fields, and what sort of statement it is."""
    event, said = match.event, match.event.said
    fields = match.fields if match.fields.get("message", event.evidence.text) == _message(event) else event.fields
    sort = sort_of(said.kind, said.words, said.size, said.level)
    slim = event._replace(fields=fields, template="", hits=(), said=sort)
    return Match(slim, match.entry, match.fields, match.weight)


def lines(event: Event) -> tuple[Evidence, ...]:
    """The lines that show an event: the one that says why first, then the record's first line."""
    return (event.evidence,) if event.reason is None else (event.reason, event.evidence)
