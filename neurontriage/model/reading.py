"""What reading gives: sources, lines with their prefix, events."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple


class Source(NamedTuple):
    """One input as it was read: `path` as the user would name it, sizes after decompression."""

    path: str
    bytes: int
    lines: int


NO_FIELDS: Mapping[str, str] = {}


class Line(NamedTuple):
    """A physical line cut out of a block. `hits`: the scan patterns that touched it; `template`: it without numbers.

    `wanted`: it is read whatever it says, as a line of a short log or one of the last lines of a long one.
    `end`: the last of the lines that a terminal broke it into. `own`: where the text of its stream begins in it, if
    its log proves that something stands in front of it (in characters). `noted`: it is only counted, as many like it,
    but says how far something is. `passed`: only frames that say nothing stand between it and the line before.
    """

    path: str
    number: int
    text: str
    hits: tuple[int, ...] = ()
    template: str = ""
    wanted: bool = False
    end: int = 0
    own: int = 0
    noted: bool = False
    passed: bool = False


class Said(NamedTuple):
    """What the payload of a line says, whatever program printed it (grammars/payload.lark).

    `kind`: the head of the statement; `words`: the names of the typed words in it; `size`: how many tokens it has;
    `level`: what the innermost header calls it.
    """

    kind: str = ""
    words: frozenset[str] = frozenset()
    size: int = 0
    level: str = ""
    fields: Mapping[str, str] = NO_FIELDS

    def __reduce__(self) -> tuple[Any, ...]:
        return _said, tuple(self)


@lru_cache(maxsize=1024)
def sort_of(kind: str, words: frozenset[str], size: int, level: str) -> Said:
    """A sort of statement, of which there are many: it is held once."""
    return Said(kind, words, size, level)


def _said(kind: str, words: frozenset[str], size: int, level: str, fields: Mapping[str, str]) -> Said:
    """What was packed."""
    sort = sort_of(kind, words, size, level)
    return sort._replace(fields=fields) if fields else sort


class Course(NamedTuple):
    """How a log went: its length, what its last lines say, whether a program said for itself that it ended well.

    `ends`: its last lines that are not blank, each with its number; `head`: how its text begins; `prompts`: the
    commands typed in it, each with its line, what it starts, and its text.
    """

    lines: int
    tail: tuple[Said, ...] = ()
    whole: bool = False
    ends: tuple[tuple[int, str], ...] = ()
    head: str = ""
    prompts: tuple[tuple[int, str, str], ...] = ()


class Prefix(NamedTuple):
    """What launchers and loggers put before a payload; None where the line does not say."""

    payload: str
    rank: int | None = None
    host: str | None = None
    time: str | None = None
    process: str | None = None
    level: str | None = None


class Evidence(NamedTuple):
    """Lines that prove a finding; `text` is the deciding line without colours, `context` the numbered lines around."""

    path: str
    line: int
    end_line: int
    text: str
    time: str | None = None
    rank: int | None = None
    context: tuple[tuple[int, str], ...] = ()


class Event(NamedTuple):
    """One parsed record. `kind` is the alias of the grammar rule, `fields` its named terminals.

    `reason`: the line of the record that says why, where that is not its first one.

    `chain`: which chain of Python exceptions it belongs to (0: none) and its place in it, counted from 1.
    """

    family: str
    kind: str
    fields: Mapping[str, str]
    evidence: Evidence
    order: int = 0
    hits: tuple[int, ...] = ()
    host: str | None = None
    process: str | None = None
    template: str = ""
    said: Said = Said()
    chain: tuple[int, int] = (0, 0)
    reason: Evidence | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _event, tuple(self)


def _event(family: str, kind: str, *rest: Any) -> Event:
    """What was packed, with the names that many share."""
    return Event(sys.intern(family), sys.intern(kind), *rest)
