"""The text of a line → what it says, wherever it stands: rules, level, typed words, and what its family makes of it.

Logs repeat themselves, most of all where jobs fail, so that what a text says is remembered.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from neurontriage.claims.harmless import around, quoted
from neurontriage.claims.prose import made, printed
from neurontriage.expressions import expression
from neurontriage.facts.hlo_modules import MODULE
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.digits import NONE_OR_SOME, folded
from neurontriage.lines.levels import LOUD
from neurontriage.lines.linear import compiled
from neurontriage.lines.prefix import strip
from neurontriage.lines.remembered import keeps
from neurontriage.lines.templates import Hits
from neurontriage.model import Line, Prefix, Said
from neurontriage.parse import command as compiler_command
from neurontriage.parse.family import Family, Start

_KIND_ORDER = {"failure": 0, "warning": 1, "": 2, "echo": 3}
_MOST_RECORDS = 32
_QUOTABLE = 1000
_FIRST, _REMEMBERED, _LONGEST = 2048, 4096, 1000
"""How many texts are remembered at first, how many where most come again, and how long one may be (in characters)."""
# A level that a program without a header sets apart from what it says.
_APART = expression(r"\[ ?(?i:error|err|critical) ?\]|\|? ?(?:ERROR|CRITICAL) (?:[-|]|::) ")
_OPENS_LEVEL = ("[", "|", "E", "C")
_FORMS = ("HEADING", "INDENTED", "UNHIT")
# Words with which a line says by itself what sort of statement it is, or that it makes none.
_SAYING = frozenset({"INABILITY", "LIMIT", "MISSING", "REFUSED", "INVALID", "FAILED", "EXPECTED", "REASON", "WRAP"}) | {
    "EXIT",
    "TEARDOWN",
    "CALM",
    "ZERO",
    "SUCCESS",
    "ENDED",
    "PROGRESS",
    "WARNING",
    "ADVICE",
    "COMPONENT",
    "LEVEL",
    "INDENTED",
    "UNHIT",
}


class Sense(NamedTuple):
    """What a text says. `unparsed`: how many records in it looked like a family and did not parse."""

    family: str
    kind: str
    fields: dict[str, str]
    rules: tuple[int, ...]
    said: Said
    unparsed: int = 0


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


class Noted(NamedTuple):
    """What a line says that is only noted. `spans`: its fields, each with where its value stands in the line."""

    family: str
    kind: str
    spans: tuple[tuple[str, int, int], ...]


class Senses:
    """What texts say; several logs share it, because they repeat each other."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._known: dict[tuple[object, ...], Sense] = {}
        self._parses: dict[tuple[str, str], tuple[str, dict[str, str]] | None] = {}
        self._noted: dict[tuple[Hits, bytes], Noted] = {}
        self._most, self._again = _FIRST, 0
        keeps(self)

    def forget(self) -> None:
        """Let go of what texts say."""
        for known in (self._known, self._parses, self._noted):
            known.clear()

    def of(self, line: Line, prefix: Prefix, level: str, below: bool) -> Sense:
        """What a line says that a pattern touched, or that is wanted.

        `level`: what the program itself called it; `below`: it stands below a frame of a traceback.
        """
        key = (line.text, line.own, line.hits, line.wanted, level, below)
        known = self._known.get(key)
        if known is None:
            known = self._read(line, prefix, level, below)
            if len(self._known) >= self._most:
                self._full()
            if len(line.text) <= _LONGEST:
                self._known[key] = known
        else:
            self._again += 1
        return known

    def _full(self) -> None:
        """Remember more where texts come again, else begin anew."""
        if self._most < _REMEMBERED and self._again > self._most // 2:
            self._most = _REMEMBERED
        else:
            self._known.clear()
            self._again = 0

    def noted(self, line: Line) -> tuple[str, str, dict[str, str]]:
        """Family and kind of a line that is only noted, its time, process and module; digits change nothing else."""
        key = line.hits, folded(line.text, NONE_OR_SOME)
        if (known := self._noted.get(key)) is None:
            if len(self._noted) >= _REMEMBERED:
                self._noted.clear()
            known = self._noted[key] = self._note(line)
        return known.family, known.kind, {name: line.text[start:end] for name, start, end in known.spans}

    def _note(self, line: Line) -> Noted:
        payload = strip(line.text, line.own).payload.strip()
        read = self._records(line, self.catalog.touched(line.hits).starts, payload)
        parsed = min((one for one in read if one is not None), key=lambda one: one.order, default=None)
        if parsed is None:
            return Noted("text", "text", ())
        spans, place = [], parsed.place
        for name in ("time", "pid"):
            if value := parsed.fields.get(name):
                place = line.text.index(value, place)
                spans.append((name, place, place := place + len(value)))
        if found := MODULE.search(line.text, place):
            spans.append(("module", *found.span()))
        return Noted(parsed.family.name, parsed.kind, tuple(spans))

    def _read(self, line: Line, prefix: Prefix, level: str, below: bool) -> Sense:
        touched, text = self.catalog.touched(line.hits), prefix.payload.strip()
        rules, said = touched.rules, self._said(line, prefix, text, level)
        if made(line.text):
            counted: tuple[int, ...] | None = self._harmless(rules)
        else:
            counted = self._quotes(prefix.payload[:_QUOTABLE], rules, said) if line.hits and not below else None
        if counted is not None:
            rules, said = counted, said._replace(words=said.words | {"QUOTATION"})
        read = self._records(line, touched.starts, text) if counted is None and touched.starts else []
        parsed = [one for one in read if one is not None]
        if len(parsed) > 1:
            parsed.sort(key=lambda one: one.order)
        fields = _fields(parsed, text, level)
        plain = "text" if rules or line.wanted or (line.hits and counted is None) else "follow"
        family, kind = (parsed[0].family.name, parsed[0].kind) if parsed else (plain, "text")
        return Sense(family, kind, fields, rules, said, len(read) - len(parsed))

    def _said(self, line: Line, prefix: Prefix, text: str, own: str) -> Said:
        """What the line says, which may state a failure. `text`: its payload; `own`: its level."""
        said = self.catalog.payload.read(text)
        shown = (text.endswith(":"), prefix.payload[:1].isspace(), line.wanted and not line.hits)
        words = said.words.union(itertools.compress(_FORMS, shown)) if any(shown) else said.words
        if not own and text[:1] in _OPENS_LEVEL and _APART.match(text):
            own = "ERROR"
        kind, level = said.kind, said.level or own
        if kind == "statement" and (level == "FATAL" or (own == "ERROR" and words.isdisjoint(_SAYING))):
            kind, words = "labelled", words | {"LABEL"}  # the level says what the words do not
        if level == said.level and words is said.words:
            return said
        return Said(kind, words, said.size, level, said.fields)

    def _quotes(self, payload: str, rules: tuple[int, ...], said: Said) -> tuple[int, ...] | None:
        """Of a line that only quotes or frames a failure, the rules that count; None of any other line."""
        if quoted(payload):
            return self._harmless(rules)
        rest = around(payload)
        if rest is None and printed(payload):
            return self._harmless(rules)
        if rest is None or (rest and said.level in LOUD):
            return None
        texts = (self.catalog.rules[number].text for number in rules)
        return None if any(text and compiled(text).search(rest) for text in texts) else rules

    def _harmless(self, rules: tuple[int, ...]) -> tuple[int, ...]:
        """Of a line that only quotes a failure, the rules that speak of something harmless still count."""
        entries = [(number, self.catalog.rules[number].entry) for number in rules]
        return tuple(number for number, entry in entries if self.catalog.briefs[entry]["severity"] == "benign")

    def _records(self, line: Line, starts: Sequence[tuple[Family, Start]], payload: str) -> list[Parsed | None]:
        """What the families that a line looks like make of it; None for a record that does not parse."""
        read: list[Parsed | None] = []
        for family, start in starts:
            for place, text in _texts(start, line.text, payload):
                found = self._parse(family, text.rstrip())
                read.append(None if found is None else Parsed(family, found[0], found[1], place))
        return read

    def _parse(self, family: Family, text: str) -> tuple[str, dict[str, str]] | None:
        """What the grammar says of a text; ranks put their own prefixes before the same one."""
        key = (family.name, text)
        if key not in self._parses:
            if len(self._parses) >= _REMEMBERED:
                self._parses.clear()
            self._parses[key] = family.parse(text)
        return self._parses[key]


def _texts(start: Start, line: str, payload: str) -> list[tuple[int, str]]:
    """The records of one family in a line, each with its place: several where writers without a lock glued them."""
    if not start.anywhere:
        return [(line.find(payload), payload)] if start.compiled.match(payload) else []
    places = [match.start() for match in start.compiled.finditer(line)][-_MOST_RECORDS:]
    return [(place, line[place:end]) for place, end in zip(places, [*places[1:], len(line)], strict=False)]


def _fields(parsed: list[Parsed], payload: str, level: str) -> dict[str, str]:
    """The fields that all families found, those of the best one first, and what they say together."""
    if not parsed:
        return {"message": payload, "level": level} if level else {"message": payload}
    fields: dict[str, str] = {}
    for one in reversed(parsed):
        fields |= one.fields
    if command := fields.pop("whole_command", "") or fields.get("command", ""):
        fields = {**compiler_command.read(command), **fields, "command": command}
    if {"component", "function"} <= fields.keys():
        fields["origin"] = f"{fields['component']}:{fields['function']}"
    fields.setdefault("message", payload)
    if level:
        fields.setdefault("level", level)
    return fields
