"""Digits that make no difference: lines that are alike but for them hold the same patterns, unless one asks for some.

A pattern with `\\d+` finds the same in `step 17` and `step 42`; one with `[1-9]` or `TEN404` tells digits apart. What
such a pattern would find if any digit stood for any other is found by a pattern as well: where that finds nothing, no
digits can make a difference.
"""

from __future__ import annotations

import re

from neurontriage.expressions import expression

ALIKE = bytes.maketrans(b"123456789", b"000000000")
"""Makes lines the same that differ in digits only, and leaves everything where it is."""
NONE_OR_SOME = bytes.maketrans(b"123456789", b"7" * 9)
"""The same of what only tells zero from all other digits."""
_DIGITS = frozenset("0123456789")


def folded(text: str, table: bytes = ALIKE) -> bytes:
    """A text in which digits stand for others of their kind; `table`: which (of `bytes.maketrans`).

    >>> folded("step 17 of 20")
    b'step 00 of 00'
    """
    return text.encode("utf-8", "surrogatepass").translate(table)


def unfolded(text: bytes) -> str:
    """One of the texts of which this is made."""
    return text.decode("utf-8", "surrogatepass")


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
