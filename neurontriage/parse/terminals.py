"""The terminals that may stand at one place of a grammar, as one pattern for each first character of a text.

Lark tries all of them at every place, some hundred alternatives.  Few of them can start with a given character; where a
place is met again and again, only these are tried.  The order of the alternatives, which decides, stays Lark's.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from neurontriage.lines.ambiguity import starts
from neurontriage.lines.patterns import sre

_OFTEN = 400
"""Matches at a place and character after which it pays to compile a pattern of their own."""
_NOTHING = re.compile("(?!)")
_HEAD = re.compile(r"\(\?i?:")


class Terminals(dict[str, re.Pattern[str]]):
    """First character → pattern, in which the name of the last group is the terminal.

    `lexer`: Lark's lexer for the place. `blank`: what may be skipped behind every terminal, "" for nothing.
    `unless`: terminals of which Lark calls some texts by another name.
    """

    def __init__(self, lexer: Any, blank: str) -> None:
        super().__init__()
        scanner = lexer.scanner
        self._whole: re.Pattern[str] = scanner._mres[0] if scanner._mres else _NOTHING
        self._named = [(one.name, one.pattern.to_regexp()) for one in scanner.terminals]
        self._blank = f"(?:{blank})*" if blank else ""
        self.unless: dict[str, Any] = lexer.callback
        self._met: Counter[str] = Counter()

    def __missing__(self, sign: str) -> re.Pattern[str]:
        """The pattern for a character that has none of its own yet."""
        if not sign.isascii():
            return self._whole
        self._met[sign] += 1
        if self._met[sign] < _OFTEN:
            return self._whole
        possible = ((name, narrowed(text, sign)) for name, text in self._named)
        texts = [f"(?P<{name}>{text})" for name, text in possible if text is not None]
        self[sign] = re.compile(f"(?:{'|'.join(texts) or _NOTHING.pattern}){self._blank}")
        return self[sign]


def blank(ignored: Iterable[str], others: Iterable[str]) -> str:
    """The patterns that a grammar ignores as one, "" where another terminal may start with the same characters."""
    skipped = list(ignored)
    first = frozenset[str]().union(*(_first(text)[0] for text in skipped))
    sole = all(not first & _first(text)[0] and not _first(text)[1] for text in others)
    return "|".join(skipped) if skipped and sole else ""


def narrowed(text: str, sign: str) -> str | None:
    """A pattern with only those alternatives that may start with an ASCII character; None when it cannot at all."""
    kept = [one for branch in _branches(text) if (one := _inside(branch, sign)) is not None]
    return "|".join(kept) if kept else None


def _inside(branch: str, sign: str) -> str | None:
    """One alternative; where it starts with a group that stands once, with only some alternatives of the group."""
    if not _may(branch, sign):
        return None
    found, close = _HEAD.match(branch), _closed(branch)
    if not found or branch[close + 1 : close + 2] in ("?", "*", "+", "{"):
        return branch
    inner = [one for one in _branches(branch[found.end() : close]) if _may(found[0] + one + ")", sign)]
    return f"{found[0]}{'|'.join(inner)}){branch[close + 1 :]}"


def _may(text: str, sign: str) -> bool:
    first, empty = _first(text)
    return empty or sign in first


@lru_cache(maxsize=4096)
def _first(text: str) -> tuple[frozenset[str], bool]:
    """The ASCII characters that a match may start with, in both cases where case is not looked at; whether it may be
    empty.
    """
    found, empty = starts(sre.parse(text, 0))
    if "(?i" in text:
        found = frozenset(one for sign in found for one in (sign.lower(), sign.upper()))
    return found, empty


def _closed(text: str) -> int:
    """Where the group closes that a pattern starts with."""
    return next((place for place, depth, _ in _walk(text) if depth == 0), 0)


def _branches(text: str) -> list[str]:
    """The alternatives of a pattern."""
    cuts = [place for place, depth, sign in _walk(text) if sign == "|" and depth == 0]
    return [text[start + 1 : end] for start, end in itertools.pairwise([-1, *cuts, len(text)])]


def _walk(text: str) -> Iterator[tuple[int, int, str]]:
    """(place, depth, sign) of every parenthesis and bar outside of brackets; `depth` counts open groups behind it."""
    depth, place = 0, 0
    while place < len(text):
        sign = text[place]
        if sign == "\\":
            place += 1
        elif sign == "[":
            first = place + 1 + (text[place + 1 : place + 2] == "^")
            place = _bracket(text, first + 1)
        elif sign in "()|":
            depth += {"(": 1, ")": -1, "|": 0}[sign]
            yield place, depth, sign
        place += 1


def _bracket(text: str, place: int) -> int:
    """Where a bracket expression closes."""
    while text[place] != "]":
        place += 1 + (text[place] == "\\")
    return place
