"""Lines → Events: each hit line is parsed by the families that it looks like; what does not parse is counted."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from neurontriage.claims.harmless import around, quoted
from neurontriage.claims.sequence import IN_LINE
from neurontriage.facts.cohort import rank_of
from neurontriage.facts.environment import Environment
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.levels import LOUD
from neurontriage.lines.linear import compiled
from neurontriage.lines.prefix import RELAYS, strip
from neurontriage.model import Event, Evidence, Line, Prefix, Said
from neurontriage.parse import command as compiler_command
from neurontriage.parse.family import Family, Start

_KIND_ORDER = {"failure": 0, "warning": 1, "": 2, "echo": 3}
_SHOWN = 5
_MOST_RECORDS = 32
_QUOTABLE = 1000
_REMEMBERED = 4096
_BELOW_FRAME = 3
_FORMS = ("HEADING", "INDENTED", "UNHIT")


class Parsed(NamedTuple):
    """What one family made of one line. `place`: where its record starts in the line."""

    family: Family
    kind: str
    fields: dict[str, str]
    place: int

    @property
    def order(self) -> tuple[bool, int, int]:
        """Families before the generic ones, failures before echoes, and the innermost (last) text first."""
        return self.family.generic, _KIND_ORDER[self.family.kinds.get(self.kind, "")], -self.place


@dataclass(eq=False, repr=False)
class Reader:
    """Turns the lines of a log into events, in order; keeps what it could not parse and the environment.

    `above`: how many lines of the incident stand above the log, so that events of all logs have one order.
    """

    catalog: Catalog
    environment: Environment = field(default_factory=Environment)
    unparsed: int = 0
    examples: list[tuple[str, int, str]] = field(default_factory=list)
    above: int = 0
    order: int = 0
    newest: int = 0
    parses: dict[tuple[str, str], tuple[str, dict[str, str]] | None] = field(default_factory=dict)
    frame: tuple[str, int] = ("", 0)
    relayed: tuple[str | None, str | None] = (None, None)

    def read(self, lines: Iterable[Line]) -> Iterator[tuple[Event, Line]]:
        """Yield one event per line (with its line); lines that only follow a hit come as family "follow"."""
        for line in lines:
            yield self._event(line), line

    def _event(self, line: Line) -> Event:
        prefix = strip(line.text, line.own)
        level = "" if self._relays(line, prefix) else _own_level(line, prefix)
        if not line.hits and not line.wanted:
            return self._followed(line, prefix, level)
        rules, said = self._rules(line), self._said(line, prefix, level)
        if line.hits and (counted := self._quotes(line, prefix.payload[:_QUOTABLE], rules, said)) is not None:
            line, rules = line._replace(hits=()), counted
            said = said._replace(words=said.words | {"QUOTATION"})
        parsed = self._parsed(line, prefix)
        best = min(parsed, key=lambda one: one.order, default=None)
        fields = dict(best.fields) if best else {}
        for one in sorted(parsed, key=lambda one: one.order) if len(parsed) > 1 else ():
            fields = {**one.fields, **fields}
        if command := fields.pop("whole_command", "") or fields.get("command", ""):
            fields = {**compiler_command.read(command), **fields, "command": command}
        if {"component", "function"} <= fields.keys():
            fields["origin"] = f"{fields['component']}:{fields['function']}"
        fields.setdefault("message", prefix.payload.strip())
        if level:
            fields.setdefault("level", level)
        plain = "text" if line.hits or rules or line.wanted else "follow"
        family, kind = (best.family.name, best.kind) if best else (plain, "text")
        if (family, kind) == ("python", "frame"):
            self.frame, self.relayed = (line.path, line.number), (prefix.level, prefix.process)
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

    def _said(self, line: Line, prefix: Prefix, own: str) -> Said:
        """What the line says, which may state a failure. `own`: its level."""
        text = prefix.payload.strip()
        said = self.catalog.payload.read(text)
        shown = (text.endswith(":"), prefix.payload[:1].isspace(), line.wanted and not line.hits)
        words = said.words.union(itertools.compress(_FORMS, shown)) if any(shown) else said.words
        level = said.level or own
        if level == said.level and words is said.words:
            return said
        return Said(said.kind, words, said.size, level, said.fields)

    def _quotes(self, line: Line, payload: str, rules: tuple[int, ...], said: Said) -> tuple[int, ...] | None:
        """Of a line that only quotes or frames a failure, the rules that count; None of any other line."""
        if self._below_frame(line):
            return None
        if quoted(payload):
            return self._harmless(rules)
        rest = around(payload)
        if rest is None or (rest and said.level in LOUD):
            return None
        texts = (self.catalog.rules[number].text for number in rules)
        return None if any(text and compiled(text).search(rest) for text in texts) else rules

    def _harmless(self, rules: tuple[int, ...]) -> tuple[int, ...]:
        """Of a line that only quotes a failure, the rules that speak of something harmless still count."""
        entries = [(number, self.catalog.rules[number].entry) for number in rules]
        return tuple(number for number, entry in entries if self.catalog.briefs[entry]["severity"] == "benign")

    def _below_frame(self, line: Line) -> bool:
        """Whether a line may be the source line of a traceback: with a bare `assert` it is all that names the cause."""
        path, number = self.frame
        return path == line.path and number < line.number <= number + _BELOW_FRAME

    def _relays(self, line: Line, prefix: Prefix) -> bool:
        """Whether a level is a launcher's: no logger puts one in front of a frame, and here the frame above has it."""
        headed = prefix.level is not None and (prefix.level, prefix.process) == self.relayed
        return headed and self._below_frame(line)

    def _rules(self, line: Line) -> tuple[int, ...]:
        touched = self.catalog.touched(line.hits)
        if touched.environment:
            self.environment.read(line, touched.environment)
        return touched.rules

    def _parsed(self, line: Line, prefix: Prefix) -> list[Parsed]:
        found: list[Parsed] = []
        for family, start in self.catalog.touched(line.hits).starts if line.hits else ():
            found += self._records(family, start, line, prefix)
        return found

    def _records(self, family: Family, start: Start, line: Line, prefix: Prefix) -> Iterator[Parsed]:
        """The records of one family in a line: several where writers without a lock glued them together."""
        if start.anywhere:
            places = [match.start() for match in start.compiled.finditer(line.text)][-_MOST_RECORDS:]
            ends = [*places[1:], len(line.text)]
            texts = [(place, line.text[place:end]) for place, end in zip(places, ends, strict=False)]
        elif start.compiled.match(payload := prefix.payload.strip()):
            texts = [(line.text.find(payload), payload)]
        else:
            texts = []
        for place, text in texts:
            result = self._parse(family, text.rstrip())
            if result is None:
                self._count(line)
            else:
                yield Parsed(family, *result, place)

    def _parse(self, family: Family, text: str) -> tuple[str, dict[str, str]] | None:
        """What the grammar says of a text; frames and messages come again and again, so that it is remembered."""
        key = (family.name, text)
        if key not in self.parses:
            if len(self.parses) >= _REMEMBERED:
                self.parses.clear()
            self.parses[key] = family.parse(text)
        return self.parses[key]

    def _count(self, line: Line) -> None:
        self.unparsed += 1
        if len(self.examples) < _SHOWN:
            self.examples.append((line.path, line.number, line.text[:300]))


def _own_level(line: Line, prefix: Prefix) -> str:
    """The level that the program itself gave the line; "" where it gave none, or a launcher did."""
    if not prefix.level or RELAYS.search(line.text, 0, len(line.text) - len(prefix.payload)):
        return ""
    return prefix.level


def _evidence(line: Line, prefix: Prefix, time: str | None) -> Evidence:
    return Evidence(
        path=line.path,
        line=line.number,
        end_line=max(line.number, line.end),
        text=line.text.strip(),
        time=time or prefix.time,
        rank=prefix.rank if prefix.rank is not None else rank_of(line.path),
    )


def with_fields(event: Event, **fields: str) -> Event:
    """The event with fields added; those it has stay."""
    return event._replace(fields={**fields, **event.fields})
