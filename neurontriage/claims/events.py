"""Lines → Events: each hit line is parsed by the families that it looks like; what does not parse is counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from neurontriage.claims.objects import Objects
from neurontriage.claims.sense import Senses
from neurontriage.claims.sequence import IN_LINE
from neurontriage.facts.cohort import rank_of
from neurontriage.facts.environment import Environment
from neurontriage.facts.hlo_modules import Modules
from neurontriage.lines.prefix import RELAYS, strip
from neurontriage.lines.templates import MOST_TEMPLATES
from neurontriage.model import Event, Evidence, Line, Prefix

_SHOWN = 5
_BELOW_FRAME = 3


@dataclass(eq=False, repr=False)
class Reader:
    """Turns the lines of a log into events, in order; keeps what it could not parse and the environment.

    `odd`: the templates of what it could not parse, each with how many records a line has.
    `modules`: what is known of them so far, by those who read the events.
    `above`: how many lines of the incident stand above the log, so that events of all logs have one order.
    """

    senses: Senses
    environment: Environment = field(default_factory=Environment)
    unparsed: int = 0
    examples: list[tuple[str, int, str]] = field(default_factory=list)
    odd: dict[str, int] = field(default_factory=dict)
    modules: Modules = field(default_factory=Modules)
    above: int = 0
    order: int = 0
    newest: int = 0
    frame: tuple[str, int] = ("", 0)
    relayed: tuple[str | None, str | None] = (None, None)
    objects: Objects = field(default_factory=Objects)

    def read(self, lines: Iterable[Line]) -> Iterator[tuple[Event, Line]]:
        """Yield one event per line (with its line); lines that only follow a hit come as family "follow"."""
        for line in lines:
            if not line.noted:
                yield self._event(line), line
            elif (noted := self._noted(line)) is not None:
                yield noted, line

    def _noted(self, line: Line) -> Event | None:
        """A line that is only counted: no more is asked of it than how far it says that a module is.

        None where that is known.
        """
        family, kind, fields = self.senses.noted(line)
        if self.modules.known(kind, fields.get("module", "")):
            return None
        prefix = strip(line.text, line.own)
        found = _evidence(line, prefix, fields.get("time"))
        return Event(family, kind, fields, found, self._order(line), (), prefix.host)

    def _event(self, line: Line) -> Event:
        prefix, below = self.objects.opened(line, strip(line.text, line.own)), self._below_frame(line)
        level = "" if prefix.level is None or (below and self._relays(prefix)) else _own_level(line, prefix)
        if not line.hits and not line.wanted:
            return self._followed(line, prefix, level)
        if printed := self.senses.catalog.touched(line.hits).environment:
            self.environment.read(line, printed)
        sense = self.senses.of(line, prefix, level, below)
        if sense.unparsed:
            self._count(line, sense.unparsed)
        if sense.family == "python" and sense.kind == "frame":
            self.frame, self.relayed = (line.path, line.number), (prefix.level, prefix.process)
        family, kind, fields, rules, said, _ = sense
        found, order = _evidence(line, prefix, fields.get("time")), self._order(line)
        return Event(family, kind, fields, found, order, rules, prefix.host, prefix.process, line.template, said)

    def _followed(self, line: Line, prefix: Prefix, level: str) -> Event:
        """A line that no pattern touched, and that only goes on with one that was."""
        fields = {"message": prefix.payload.strip()} | ({"level": level} if level else {})
        found, order = _evidence(line, prefix, None), self._order(line)
        return Event("follow", "text", fields, found, order, (), prefix.host, prefix.process, line.template)

    def _order(self, line: Line) -> int:
        self.order = self.order + 1 if line.number == self.newest else (self.above + line.number) * IN_LINE + 1
        self.newest = line.number
        return self.order

    def _below_frame(self, line: Line) -> bool:
        """Whether a line may be the source line of a traceback: with a bare `assert` it is all that names the cause."""
        path, number = self.frame
        return path == line.path and line.number <= number + _BELOW_FRAME

    def _relays(self, prefix: Prefix) -> bool:
        """Whether a level below a frame is a launcher's: no logger puts one in front of a frame, and that has it."""
        return prefix.level is not None and (prefix.level, prefix.process) == self.relayed

    def _count(self, line: Line, unparsed: int) -> None:
        self.unparsed += unparsed
        if len(self.odd) < MOST_TEMPLATES:
            self.odd[line.template] = unparsed
        self.examples += [(line.path, line.number, line.text[:300])] * min(unparsed, _SHOWN - len(self.examples))


def _own_level(line: Line, prefix: Prefix) -> str:
    """The level that the program itself gave the line; "" where it gave none, or a launcher did."""
    if not prefix.level or RELAYS.search(line.text, 0, len(line.text) - len(prefix.payload)):
        return ""
    return prefix.level


def _evidence(line: Line, prefix: Prefix, time: str | None) -> Evidence:
    rank = prefix.rank if prefix.rank is not None else rank_of(line.path, alone=True)
    return Evidence(line.path, line.number, max(line.number, line.end), line.text.strip(), time or prefix.time, rank)


def with_fields(event: Event, **fields: str) -> Event:
    """The event with fields added; those it has stay."""
    return event._replace(fields={**fields, **event.fields})
