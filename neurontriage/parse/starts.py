"""What patterns may start with: which of them, and which of their alternatives, are worth a try at a character."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from functools import lru_cache

from neurontriage.expressions import expression
from neurontriage.lines.ambiguity import starts
from neurontriage.lines.patterns import sre

_HEAD = expression(r"\(\?i?:")


def first(text: str) -> str | None:
    """The ASCII characters that a match may start with, None where it may be empty."""
    signs, empty = _signs(text)
    return None if empty else "".join(sorted(signs))


def blank(ignored: Iterable[str], others: Iterable[str]) -> str:
    """The patterns that a grammar ignores as one, "" where another terminal may start with the same characters."""
    skipped = list(ignored)
    signs = frozenset[str]().union(*(_signs(text)[0] for text in skipped))
    sole = all(not signs & _signs(text)[0] and not _signs(text)[1] for text in others)
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
    signs, empty = _signs(text)
    return empty or sign in signs


@lru_cache(maxsize=4096)
def _signs(text: str) -> tuple[frozenset[str], bool]:
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
            place = _bracket(text, first + (text[first : first + 1] == "]"))
        elif sign in "()|":
            depth += {"(": 1, ")": -1, "|": 0}[sign]
            yield place, depth, sign
        place += 1


def _bracket(text: str, place: int) -> int:
    """Where a bracket expression closes."""
    while text[place] != "]":
        place += 1 + (text[place] == "\\")
    return place
