"""The text of a line → what it says, wherever it stands: rules, level, typed words, and what its family makes of it.

Logs repeat themselves, and ranks each other but for clocks, processes and values: what a text says is remembered for
all texts of its form, whose numbers make values of fields and nothing else.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from neurontriage.claims.harmless import around, quoted
from neurontriage.claims.parsed import Parsed, moved, texts, together
from neurontriage.claims.prose import made, printed, written
from neurontriage.expressions import expression
from neurontriage.facts.hlo_modules import MODULE
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.digits import NONE_OR_SOME, folded, form, unfolded
from neurontriage.lines.levels import LOUD
from neurontriage.lines.linear import compiled
from neurontriage.lines.prefix import strip
from neurontriage.lines.remembered import keeps
from neurontriage.lines.templates import Hits
from neurontriage.model import Line, Prefix, Said
from neurontriage.parse.family import Family, Spans, Start
from neurontriage.parse.payload import valued

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


class Form(NamedTuple):
    """What all texts of a form say. `parsed`: the best first; `apart`: something may tell their numbers apart.

    `values`: where in the payload the values of the fields stand that `said` has.
    """

    family: str
    kind: str
    parsed: Sequence[Parsed]
    rules: tuple[int, ...]
    said: Said
    values: Spans
    unparsed: int
    apart: bool


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
        self._forms: dict[tuple[object, ...], Form] = {}
        self._parses: dict[tuple[str, str], tuple[str, Spans] | None] = {}
        self._noted: dict[tuple[Hits, bytes], Noted] = {}
        self._most, self._again = _FIRST, 0
        keeps(self)

    def forget(self) -> None:
        """Let go of what texts say."""
        for known in (self._known, self._forms, self._parses, self._noted):
            known.clear()

    def of(self, line: Line, prefix: Prefix, level: str, below: bool) -> Sense:
        """What a line says that a pattern touched, or that is wanted.

        `level`: what the program itself called it; `below`: it stands below a frame of a traceback.
        """
        key = (line.text, line.own, line.hits, line.wanted, level, below)
        known = self._known.get(key)
        if known is None:
            found = self._form(line, prefix, level, below)
            known = self._here(found, line.text, prefix.payload.strip(), level)
            if len(self._known) >= self._most:
                self._full()
            if len(line.text) <= _LONGEST:
                self._known[key] = known
        else:
            self._again += 1
        return known

    def _form(self, line: Line, prefix: Prefix, level: str, below: bool) -> Form:
        """What all lines of its form say, or the line alone where its numbers may say more."""
        text, payload = line.text, prefix.payload
        if len(text) > _LONGEST or self.catalog.touched(line.hits).apart:
            return self._read(line, prefix, level, below)
        behind = len(payload) if text.endswith(payload) else payload
        key = form(text), behind, line.hits, line.wanted, level, below
        if (found := self._forms.get(key)) is None:
            if len(self._forms) >= _REMEMBERED:
                self._forms.clear()
            found = self._forms[key] = self._read(*_alike(line, prefix), level, below)
        return self._read(line, prefix, level, below) if found.apart else found

    def _here(self, found: Form, text: str, payload: str, level: str) -> Sense:
        """What a form says with the values of one text."""
        said = valued(found.said, found.values, payload)
        fields = together([one.fields(text, payload) for one in found.parsed], payload, level)
        return Sense(found.family, found.kind, fields, found.rules, said, found.unparsed)

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
        spans, place, fields = [], parsed.place, parsed.fields(line.text, payload)
        for name in ("time", "pid"):
            if value := fields.get(name):
                place = line.text.index(value, place)
                spans.append((name, place, place := place + len(value)))
        if found := MODULE.search(line.text, place) or MODULE.search(line.text):  # or before it
            spans.append(("module", *found.span()))
        return Noted(parsed.family.name, parsed.kind, tuple(spans))

    def _read(self, line: Line, prefix: Prefix, level: str, below: bool) -> Form:
        touched, text = self.catalog.touched(line.hits), prefix.payload.strip()
        rules, (said, values) = touched.rules, self._said(line, prefix, text, level)
        counted, apart = None, False
        if made(line.text):
            counted = self._harmless(rules)
        elif line.hits and not below:
            counted, apart = self._quotes(prefix.payload[:_QUOTABLE], rules, said)
        if counted is not None:
            rules, said = counted, said._replace(words=said.words | {"QUOTATION"})
        read = self._records(line, touched.starts, text) if counted is None and touched.starts else []
        parsed = [one for one in read if one is not None]
        if len(parsed) > 1:
            parsed.sort(key=lambda one: one.order)
        plain = "text" if rules or line.wanted or (line.hits and counted is None) else "follow"
        family, kind = (parsed[0].family.name, parsed[0].kind) if parsed else (plain, "text")
        return Form(family, kind, parsed, rules, said, values, len(read) - len(parsed), apart)

    def _said(self, line: Line, prefix: Prefix, text: str, own: str) -> tuple[Said, Spans]:
        """What the line says, which may state a failure, and its values. `text`: its payload; `own`: its level."""
        said, values = self.catalog.payload.parsed(text)
        shown = (text.endswith(":"), prefix.payload[:1].isspace(), line.wanted and not line.hits)
        words = said.words.union(itertools.compress(_FORMS, shown)) if any(shown) else said.words
        if not own and text[:1] in _OPENS_LEVEL and _APART.match(text):
            own = "ERROR"
        kind, level = said.kind, said.level or own
        if kind == "statement" and (level == "FATAL" or (own == "ERROR" and words.isdisjoint(_SAYING))):
            kind, words = "labelled", words | {"LABEL"}  # the level says what the words do not
        if level == said.level and words is said.words:
            return said, values
        return Said(kind, words, said.size, level), values

    def _quotes(self, payload: str, rules: tuple[int, ...], said: Said) -> tuple[tuple[int, ...] | None, bool]:
        """Of a line that only quotes or frames a failure, the rules that count, None of any other line; and whether
        digits may decide that.
        """
        if quoted(payload):
            return self._harmless(rules), False
        rest = around(payload)
        if rest is None and (printed(payload) or (not said.level and written(payload))):
            return self._harmless(rules), False
        if rest is None or (rest and said.level in LOUD):
            return None, False
        looked_for = (self.catalog.rules[number].text for number in rules)
        found = any(text and compiled(text).search(rest) for text in looked_for)
        return None if found else rules, bool(rest and rules)

    def _harmless(self, rules: tuple[int, ...]) -> tuple[int, ...]:
        """Of a line that only quotes a failure, the rules that speak of something harmless still count."""
        entries = [(number, self.catalog.rules[number].entry) for number in rules]
        return tuple(number for number, entry in entries if self.catalog.briefs[entry]["severity"] == "benign")

    def _records(self, line: Line, starts: Sequence[tuple[Family, Start]], payload: str) -> list[Parsed | None]:
        """What the families that a line looks like make of it; None for a record that does not parse."""
        read: list[Parsed | None] = []
        for family, start in starts:
            for place, text in texts(start, line.text, payload):
                found, behind = self._parse(family, text.rstrip()), not start.anywhere
                by = place if start.anywhere else 0
                read.append(None if found is None else Parsed(family, *moved(found, by), place, behind))
        return read

    def _parse(self, family: Family, text: str) -> tuple[str, Spans] | None:
        """What the grammar says of a text; ranks put their own prefixes before the same one."""
        key = (family.name, text)
        if key not in self._parses:
            if len(self._parses) >= _REMEMBERED:
                self._parses.clear()
            self._parses[key] = family.parse(text)
        return self._parses[key]


def _alike(line: Line, prefix: Prefix) -> tuple[Line, Prefix]:
    """The line of its form."""
    text, behind = unfolded(form(line.text)), prefix.payload
    payload = text[len(text) - len(behind) :] if line.text.endswith(behind) else unfolded(form(behind))
    return line._replace(text=text), prefix._replace(payload=payload)
