"""Every line that could state a failure is a Claim: what it says, what an entry says of it, where and how often."""

from __future__ import annotations

from array import array
from collections.abc import KeysView, MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from neurontriage.claims.held import shown, whole
from neurontriage.claims.match import Match
from neurontriage.claims.sightings import Sightings, where_of
from neurontriage.lines.templates import READ
from neurontriage.model import Event, Evidence, Sighting, Why
from neurontriage.model.many import MANY, in_columns

MOST_EVIDENCE = 10
_DIGITS = dict.fromkeys(map(ord, "0123456789"))
COUNTED = ""
"""In place of the modules that lines name which were only counted."""
_MOST_SIGHTINGS, _MOST_CALM = 20_000, 64
_MOST_SPEAKERS = 64
Speaker = tuple[str | None, int | None, str | None]
ClaimRole = Literal["raise", "wrap", "echo", "exit", "signal", "state", "note"]


@dataclass(eq=False, slots=True)
class Claim:
    """Lines that claim the same. `place`: (time or 0, order of reading) of the first, `lasts`: the last of each log.

    `entry`: the id of the knowledge entry, None where no entry explains it.  `score`: how likely it is the root cause.
    `key`: what its lines have in common; `wide`: the same where there are too many claims to tell all apart.
    `kept`: matches, of which some rise: they are more specific than all before; `ordinary`: how many do not; `told`:
    fields that other lines gave. `settle` makes `evidence` and `fields` of these; before, claims can be put together.
    `handled`: how many of its lines the program itself called expected, or handled; `answered`: of these, how many by
    telling a client that its request is at fault; `tried`: the line of the last try,
    0 where there were no tries, or more of them were left.
    `modules`: of which its lines tell that a try to compile them failed, None where they name none; `left`: one of them
    never passed.
    `spoken`: (host, rank, process) of those who say it, the first of them.
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
    lasts: MutableMapping[str, int] = field(default_factory=dict)
    weight: tuple[int, ...] = ()
    evidence: Sequence[Evidence] = ()
    kept: list[Match] = field(default_factory=list)
    ordinary: int = 0
    told: dict[str, str] = field(default_factory=dict)
    runners: tuple[Match, ...] = ()
    sightings: Sightings = field(default_factory=Sightings)
    spoken: tuple[Speaker, ...] = ()
    time: float | None = None
    modules: frozenset[str | None] = frozenset()
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
        return self.sightings.ranks

    @property
    def speakers(self) -> KeysView[Speaker]:
        """Those who say it, as a set."""
        return dict.fromkeys(self.spoken).keys()

    @property
    def last(self) -> int:
        """The last of its lines in the log of its event."""
        return self.lasts.get(self.event.evidence.path, 0)

    @property
    def latest(self) -> int:
        """The line that states it last; the message of the only one may go on far below."""
        return self.event.evidence.line if self.count == 1 else self.last

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
            speaker = _speaker(match.event.host, evidence.rank, match.event.process)
            self.spoken = self.spoken if speaker in self.spoken else (*self.spoken, speaker)
        where = where_of(evidence.path, evidence.rank)
        if where not in self.sightings.first:
            self._see(Sighting(evidence.path, evidence.rank, evidence.line, time))
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
        if len(self.lasts) >= MANY:
            self.lasts = in_columns(self.lasts, lambda: array("q"))
        if len(self.spoken) < _MOST_SPEAKERS:
            self.spoken = tuple(dict.fromkeys((*self.spoken, *other.spoken)))
        self.sightings.take(other.sightings, _MOST_SIGHTINGS, self._most_alone)
        self.modules |= other.modules
        self.chains = (*self.chains, *other.chains)[:MOST_EVIDENCE]
        self.told = {**other.told, **self.told}
        if other.id != other.key[0]:
            self.id, self.entry = other.id, other.entry
        for match in other.runners:
            self.or_else(match)
        for match in other.kept:
            self._keep(match)

    def counted(self, count: int, last: int) -> None:
        """Take in lines that were only counted, the last of which has this number in the log of its event."""
        self.handled += count if self.handled == self.count else 0
        self.count += count
        if self.modules - {None}:
            self.of(COUNTED)
        self.until(self.event.evidence.path, last)

    def or_else(self, match: Match) -> None:
        """What a line of it means if its entry does not hold."""
        if len(self.runners) < MOST_EVIDENCE and _few(match.event, self.runners):
            self.runners = (*self.runners, match)

    def over(self, gone: Claim) -> None:
        """Take the lines over that were only counted, or not kept, of one whose entry does not hold."""
        path = self.event.evidence.path
        if (rest := gone.count - len(gone.runners)) > 0:
            self.counted(rest, gone.lasts.get(path, 0))

    def of(self, module: str | None) -> None:
        """A line of it tells that a try to compile this module failed, or of none."""
        if module not in self.modules:
            self.modules = self.modules | {module} if self.modules else _alone(module)

    def until(self, path: str, line: int) -> None:
        """Let it go on in a log to this line at least."""
        if line > self.lasts.get(path, 0):
            self.lasts[path] = line

    def _see(self, one: Sighting) -> None:
        """Note where it was seen first, as far as it is asked for."""
        if len(self.sightings) < (self._most_alone if one.rank is None else _MOST_SIGHTINGS):
            self.sightings.add(one)

    @property
    def _most_alone(self) -> int:
        """How many sightings without a rank there are room for: of what is harmless it is only asked by whom."""
        return _MOST_CALM if self.severity == "benign" else _MOST_SIGHTINGS

    def _keep(self, match: Match) -> None:
        """Keep a match that is more specific than all before it, and of the others the first that say something new."""
        rises = match.weight > self.weight and bool(self.kept)
        if rises or (self.ordinary < MOST_EVIDENCE and self._new(match.event) and _few(match.event, self.kept)):
            first = rises or not self.kept
            kept = whole(match) if first else shown(match, _said(match) == _message(match.event))
            self.kept.append(kept._replace(rises=True) if rises else kept)
            self.ordinary += not rises
            self.event = kept.event if first else self.event
        self.weight = max(self.weight, match.weight)

    def _new(self, event: Event) -> bool:
        """Whether a line says something that no line shown so far says, but for times and process ids."""
        rank, message = event.evidence.rank, _message(event)
        for match in self.kept:
            one = match.event
            if one.evidence.rank == rank and not match.rises and _message(one) == message:
                return False
        return True

    def settle(self) -> None:
        """Evidence and fields: of the most specific match first, then in the order of the log."""
        risen = [match for match in reversed(self.kept) if match.rises]
        shown = [*risen, *(match for match in self.kept if not match.rises)]
        self.evidence = [line for match in shown for line in lines(match.event)][:MOST_EVIDENCE]
        for match in self.kept:
            self.fields = {**self.fields, **match.fields} if match.rises else {**match.fields, **self.fields}
        for name, value in self.told.items():
            self.fields.setdefault(name, value)


@lru_cache(maxsize=512)
def _speaker(host: str | None, rank: int | None, process: str | None) -> Speaker:
    """Each is held once: they say many things."""
    return host, rank, process


@lru_cache(maxsize=256)
def _alone(module: str | None) -> frozenset[str | None]:
    """The same of modules: most name none."""
    return frozenset({module})


def _few(event: Event, among: Sequence[Match]) -> bool:
    """Whether it is one of the first lines of its kind, as many as are read of a log, or the first of its rank.

    What is put together of slices shows no more of a kind than what was read as one.
    """
    if len(among) < READ:
        return True
    text, own = _kind(event), event.evidence
    alike = [one.event.evidence for one in among if one.event.evidence.path == own.path and _kind(one.event) == text]
    return len(alike) < READ or (own.rank is not None and own.rank not in {one.rank for one in alike})


def _kind(event: Event) -> str:
    """A line without its digits."""
    return event.evidence.text.translate(_DIGITS)


def _said(match: Match) -> str:
    return match.fields.get("message", match.event.evidence.text)


def _message(event: Event) -> str:
    return event.fields.get("message", event.evidence.text)


def lines(event: Event) -> tuple[Evidence, ...]:
    """The lines that show an event: the one that says why first, then the record's first line."""
    return (event.evidence,) if event.reason is None else (event.reason, event.evidence)
