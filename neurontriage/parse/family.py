"""grammars/<family>.lark → Family: what to scan for, how to parse, which kinds are failures.

A grammar file is an ordinary Lark grammar whose comments `//! …` say what the grammar itself cannot:

    //! layer runtime            the layer of its failures
    //! unknown NRT-Unknown      the id of a failure that no entry explains
    //! scan REGEX               where a record starts, anywhere in a line; `scan+8`: eight more lines belong to it
    //! payload REGEX            the same, but only at the start of the payload behind launcher prefixes
    //! mark REGEX               as scan: what only says that something went well, or how far; few such lines are read
    //! course REGEX             as scan: what says how far each of many things is; after the first few such lines of a
                                 kind, all others are noted, for the facts
    //! failure KIND …           kinds (rule names) that state a failure
    //! echo KIND …              kinds that only repeat that something failed elsewhere
    //! generic yes              gives way to every other family on the same line
    //! warning KIND …           kinds that do not fail a job by themselves
    //! digits yes               it tells digits other than zero apart
"""

from __future__ import annotations

import marshal
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from neurontriage.expressions import expression
from neurontriage.lines.linear import compiled
from neurontriage.parse.automaton import Automaton
from neurontriage.parse.moves import Moves, Table

if TYPE_CHECKING:  # Lark is needed where a grammar is compiled, not where a log is read
    from lark import Lark

_DIRECTIVE = expression(r"^//! (?P<name>[a-z]+)(?:\+(?P<follow>\d+))? (?P<value>.+)$", re.MULTILINE)
COMMON = "common"
PAYLOAD = "payload"
RECORD = "record"


Spans = tuple[tuple[str, int, int], ...]
"""Fields, each with where its value starts and ends in a text."""


class Start(NamedTuple):
    """Where a record of the family may start. `follow`: how many lines after it belong to it.

    `mark`: what it only says: that something went well, or how far it got ("mark"), that tests begin or end ("tests"),
    how far one of many things is ("course").
    """

    regex: str
    anywhere: bool
    follow: int = 0
    mark: str = ""

    @property
    def compiled(self) -> re.Pattern[str]:
        return compiled(self.regex)


@dataclass(frozen=True)
class Grammar:
    """A Lark grammar; `stored`: the bytes of its table, None to make it from the text."""

    text: str
    stored: bytes | None = field(default=None, repr=False)

    @cached_property
    def parser(self) -> Lark:
        """Lark's own LALR parser, from the text."""
        from lark import Lark

        return Lark(self.text, parser="lalr", maybe_placeholders=False, import_paths=[])

    @property
    def table(self) -> Table:
        """The grammar as plain data, the same on every run; not held, as what is made of it takes what it needs."""
        if self.stored is not None:
            return cast(Table, marshal.loads(self.stored))
        from neurontriage.parse.extract import extracted

        return extracted(self.parser)

    @cached_property
    def automaton(self) -> Automaton:
        """What tells the rules and terminals of a text."""
        return Automaton(self.table)

    @cached_property
    def moves(self) -> Moves:
        """How the parser moves from token to token, for texts whose tokens are told by others."""
        return Moves(self.table)


class Family(NamedTuple):
    """One log family."""

    name: str
    layer: str
    unknown: str
    starts: tuple[Start, ...]
    kinds: Mapping[str, str]
    grammar: Grammar
    generic: bool = False
    digits: bool = False

    def parse(self, text: str) -> tuple[str, Spans] | None:
        """A record's text → its kind and its fields; None when it looks like the family but does not parse."""
        found = self.grammar.automaton.parse(text)
        if found is None:
            return None
        spans: dict[str, tuple[int, int]] = {}
        for name, start, end in found.tokens:
            spans.setdefault(name.lower(), (start, end))
        return found.parts[0][0], tuple((name, *span) for name, span in spans.items())


def read_family(path: Path) -> Family:
    """One grammar file → its Family. Raises ValueError naming the file when a directive is missing."""
    text = path.read_text(encoding="utf-8")
    single: dict[str, str] = {}
    starts: list[Start] = []
    kinds: dict[str, str] = {}
    for directive in _DIRECTIVE.finditer(text):
        name, value = directive["name"], directive["value"]
        if name in ("scan", "payload", "mark", "course"):
            mark = name if name in ("mark", "course") else ""
            starts.append(Start(value, name != "payload", int(directive["follow"] or 0), mark))
        elif name in ("failure", "echo", "warning"):
            kinds |= dict.fromkeys(value.split(), name)
        else:
            single[name] = value.strip()
    if not starts or not {"layer", "unknown"} <= set(single):
        raise ValueError(f"{path}: a grammar needs //! layer, //! unknown and at least one //! scan or //! payload")
    grammar = text.replace("%import .common", "%import common")
    inlined = _inline(grammar, path.parent / f"{COMMON}.lark")
    said, told = (single["layer"], single["unknown"]), ("generic" in single, "digits" in single)
    return Family(path.stem, *said, tuple(starts), kinds, Grammar(inlined), *told)


def _inline(grammar: str, common: Path) -> str:
    """Put the imported terminals of common.lark in place, so that a stored table needs no import paths."""
    terminals = dict(re.findall(r"^([A-Z_]+(?:\.-?\d+)?): (.+)$", common.read_text(encoding="utf-8"), re.MULTILINE))
    named = {name.split(".")[0]: f"{name}: {body}" for name, body in terminals.items()}

    def lines(found: re.Match[str]) -> str:
        return "\n".join(named[name.strip()] for name in found[1].split(","))

    return re.sub(r"^%import common \(([^)]*)\)$", lines, grammar, flags=re.MULTILINE)


def read_payload(folder: Path) -> tuple[Grammar, tuple[Start, ...]]:
    """The grammar of what a line says, and what to scan for: words of a line about a failure, heads of a reason."""
    text = (folder / f"{PAYLOAD}.lark").read_text(encoding="utf-8")
    starts = [
        Start(d["value"], True, int(d["follow"] or 0), d["name"] if d["name"] != "scan" else "")
        for d in _DIRECTIVE.finditer(text)
    ]
    return Grammar(text), tuple(starts)


def read_record(folder: Path) -> Grammar:
    """The grammar of what spans lines; its tokens are kinds of lines."""
    return Grammar((folder / f"{RECORD}.lark").read_text(encoding="utf-8"))


def read_families(folder: Path) -> list[Family]:
    """All families, sorted by name; common.lark and grammars without directives are not log families."""
    paths = sorted(folder.glob("*.lark"))
    return [read_family(p) for p in paths if p.stem != COMMON and "//! unknown" in p.read_text(encoding="utf-8")]
