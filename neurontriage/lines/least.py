"""A pattern at its least: what is left of it when everything goes that can only make a match longer.

A scanner reports every end of a match, and only the first counts. A pattern that ends in `.{4,90}` is found at 87
places of a line, one that ends in `.{4}` at one of them, and that is the first of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from neurontriage.expressions import expression

_SIGN = expression(r"(?:[*+?]|\{(?P<least>\d+)(?:,\d*)?\})\??")
_ATOM = expression(r"\\x[0-9a-fA-F]{2}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^()|]")
_HEAD = expression(r"\((?:\?(?:P<\w+>|:))?")
_ANY_UP_TO_TEXT = expression(r"(?<!\\)\.[*+]\??$")


class _Item(NamedTuple):
    """A part of a pattern. `least`: how often it comes at least."""

    atom: str
    sign: str
    least: int


def least(text: str) -> str:
    """A pattern that has a match wherever the pattern `text` has one, which ends where the shortest of these does."""
    return "|".join(map(_branch, branches(text)))


def branches(text: str) -> list[str]:
    """The alternatives of a pattern."""
    found, place = [""], 0
    while place < len(text):
        if text[place] == "|":
            found.append("")
            place += 1
        else:
            end = after(text, place)
            found[-1] += text[place:end]
            place = end
    return found


def _branch(text: str) -> str:
    items = list(_items(text))
    while items:
        last, before = items.pop(), "".join(one.atom + one.sign for one in items)
        if last.least > 1:
            return f"{before}{last.atom}{{{last.least}}}"
        if last.least == 1 and last.atom == r"\S" and _ANY_UP_TO_TEXT.search(before):
            place = before.rindex(".")
            return before[:place] + "." * (before[place + 1] == "+") + r"\s*\S"
        if last.least == 1 and (atom := _atom(last.atom)):
            return before + atom
    return ""


def _atom(text: str) -> str:
    """An atom at its least, "" where that may be empty."""
    head = _HEAD.match(text)
    if not head:
        return text
    inner = [_branch(one) for one in branches(text[head.end() : -1])]
    return f"{head[0]}{'|'.join(dict.fromkeys(inner))})" if all(inner) else ""


def _items(text: str) -> Iterator[_Item]:
    """The parts of a pattern without alternatives."""
    place = 0
    while place < len(text):
        end = after(text, place)
        sign = _SIGN.match(text, end)
        count = 1 if not sign or sign[0][0] == "+" else int(sign["least"] or 0)
        yield _Item(text[place:end], sign[0] if sign else "", count)
        place = sign.end() if sign else end


def after(text: str, place: int) -> int:
    """Where the atom of a pattern ends that starts at a place."""
    if text[place] != "(":
        found = _ATOM.match(text, place)
        assert found, text
        return found.end()
    place += 1
    while text[place] != ")":
        place = after(text, place) if text[place] != "|" else place + 1
    return place + 1
