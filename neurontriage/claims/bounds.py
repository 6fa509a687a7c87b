"""What was measured, and beside it in parentheses how much of it is allowed: within that nothing went wrong."""

from __future__ import annotations

from neurontriage.expressions import expression

_NUMBER = r"\d{1,9}(?:\.\d{1,9})?(?:[eE]-?\d{1,3})?"
_WORD = r"(?:(?:max(?:imum)?|allowed|limit|tolerance|tol|budget|threshold|permitted|tolerated|at most|up to)\b|<=?)"
_BOUNDED = expression(
    rf"(?i)(?<![\w.])(?P<value>{_NUMBER}|none|nil|no)(?: ?[a-z%/]{{1,20}}){{0,3}},? ?[(\[]"
    rf"(?:{_WORD}(?: [a-z]{{1,12}})?[ :=]{{0,3}}(?P<bound>{_NUMBER})(?: ?[a-z%/]{{1,12}})?"
    rf"|(?P<least>{_NUMBER}) (?:[a-z]{{1,20}} )?(?:allowed|permitted|tolerated))[)\]]"
)


def exceeded(said: str) -> bool | None:
    """Whether what a line measures is more than it says is allowed; None where it says nothing of the kind.

    >>> exceeded("4 mismatches (allowed: 20)"), exceeded("recovery 48 s (limit 40 s)"), exceeded("4 mismatches")
    (False, True, None)
    >>> exceeded("regression against v2: none (threshold 0.5)")
    False
    """
    found = list(_BOUNDED.finditer(said))
    return any(_amount(one["value"]) > float(one["bound"] or one["least"]) for one in found) if found else None


def _amount(value: str) -> float:
    return float(value) if value[0].isdigit() else 0.0
