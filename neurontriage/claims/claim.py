"""Every line that could state a failure is a Claim: what it says, what an entry says of it, where and how often."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from neurontriage.claims.match import Match
from neurontriage.model import Event, Evidence, Why

MOST_EVIDENCE = 10
ClaimRole = Literal["raise", "wrap", "echo", "exit", "signal", "state", "note"]


@dataclass(eq=False)
class Claim:
    """Lines that claim the same. `place`: (time or 0, order of reading) of the first, `last`: the line of the last one.

    `entry`: the id of the knowledge entry, None where no entry explains it.  `score`: how likely it is the root cause.
    """

    id: str
    entry: str | None
    layer: str
    severity: str
    says: ClaimRole
    event: Event
    place: tuple[float, int]
    fields: dict[str, str] = field(default_factory=dict)
    count: int = 0
    last: int = 0
    weight: tuple[int, ...] = ()
    evidence: list[Evidence] = field(default_factory=list)
    runners: list[Match] = field(default_factory=list)
    shown: set[tuple[int | None, str]] = field(default_factory=set)
    ranks: set[int] = field(default_factory=set)
    time: float | None = None
    quoted: set[str | None] = field(default_factory=set)
    score: float = 0.0
    role: str = "context"
    caused_by: str | None = None
    why: Why | None = None

    @property
    def known(self) -> bool:
        """Whether an entry explains it."""
        return self.entry is not None

    @property
    def values(self) -> dict[str, str]:
        """Every field: what the entry's pattern and the family's grammar captured, and the typed words of the line."""
        return {**self.event.said.fields, **self.fields}

    def add(self, match: Match) -> None:
        """Take a match in: the line of the most specific match first, then the order of the log, repeats left out."""
        event = match.event
        self.count += 1
        self.last = max(self.last, event.evidence.end_line)
        if event.evidence.rank is not None:
            self.ranks.add(event.evidence.rank)
        if match.weight > self.weight and self.evidence:
            self.evidence.insert(0, event.evidence)
            self.fields = {**self.fields, **match.fields}
            self.event = event
        elif len(self.evidence) < MOST_EVIDENCE and self._new(event):
            self.evidence.append(event.evidence)
            self.fields = {**match.fields, **self.fields}
        self.weight = max(self.weight, match.weight)
        del self.evidence[MOST_EVIDENCE:]

    def _new(self, event: Event) -> bool:
        """Whether a line says something that no line shown so far says, but for times and process ids."""
        what = (event.evidence.rank, event.fields.get("message", event.evidence.text))
        if what in self.shown:
            return False
        self.shown.add(what)
        return True
