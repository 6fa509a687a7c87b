"""Digits that make no difference: lines that are alike but for them hold the same patterns, unless one asks for some.

A pattern with `\\d+` finds the same in `step 17` and `step 42`; one with `[1-9]` or `TEN404` tells digits apart. What
such a pattern would find if any digit stood for any other is found by a pattern as well: where that finds nothing, no
digits can make a difference.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from neurontriage.expressions import expression
from neurontriage.lines.remembered import remembered

ALIKE = bytes.maketrans(b"123456789", b"000000000")
"""Makes lines the same that differ in digits only, and leaves everything where it is."""
NONE_OR_SOME = bytes.maketrans(b"123456789", b"7" * 9)
"""The same of what only tells zero from all other digits."""
_DIGITS = frozenset("0123456789")
T = TypeVar("T")


def folded(text: str, table: bytes = ALIKE) -> bytes:
    """A text in which digits stand for others of their kind; `table`: which (of `bytes.maketrans`).

    >>> folded("step 17 of 20")
    b'step 00 of 00'
    """
    return text.encode("utf-8", "surrogatepass").translate(table)


@remembered(256)
def unfolded(text: bytes) -> str:
    """One of the texts of which this is made."""
    return text.decode("utf-8", "surrogatepass")


@remembered(256)
def form(text: str) -> bytes:
    """A text in which all numbers of one length are alike, but for one that is nothing but zeros.

    >>> form("step 170 of 200 at 00:05, 0 left")
    b'step 777 of 770 at 00:77, 0 left'

    Much is asked of one line before the next one is read.
    """
    folded = text.encode("utf-8", "surrogatepass").translate(NONE_OR_SOME)
    return folded.replace(b"70", b"77").replace(b"07", b"77")


def by_form(most: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """A decorator: what a function says of the form of a text is what it says of the text, and is remembered.

    None of its patterns may tell numbers apart that are not zero, nor may it give any.
    """

    def wrapped(function: Callable[[str], T]) -> Callable[[str], T]:
        @remembered(most)
        def known(form: bytes) -> T:
            return function(unfolded(form))

        @wraps(function)
        def told(text: str) -> T:
            return known(form(text))

        return told

    return wrapped


# Counts of a repeat, escapes, heads of groups with their names and flags; bracket expressions; digits.
_TOKEN = expression(
    r"\{\d+(?:,\d*)?\}|\\x[0-9a-fA-F]{2}|\\.|\(\?(?:P<\w+>|[a-zA-Z]*[:)])"
    r"|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\]?)|(?P<digit>\d)"
)


def alike(text: str) -> str:
    """A pattern that takes any digit where the pattern `text` takes one; `text` itself where it tells none apart.

    >>> alike(r"status [1-9]\\d* of NCC_E{1,3}"), alike("TEN404"), alike("[^0]x")
    ('status [1-9\\\\d]\\\\d* of NCC_E{1,3}', 'TEN\\\\d\\\\d\\\\d', '(?:[^0]|\\\\d)x')
    """
    return _TOKEN.sub(_alike, text)


def _alike(found: re.Match[str]) -> str:
    token = found[0]
    if found["digit"]:
        return r"\d"
    if not found["set"]:
        return token
    taken = set(filter(re.compile(token).match, _DIGITS))
    if not taken or taken == _DIGITS:
        return token
    return rf"(?:{token}|\d)" if token.startswith("[^") else rf"{token[:-1]}\d]"
