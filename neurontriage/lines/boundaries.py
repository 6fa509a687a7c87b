"""Finds a `\\b` that can never hold, since letters, or none, stand on both sides: Hyperscan refuses such a pattern."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from neurontriage.lines.ambiguity import starts

_REPEATS = ("MAX_REPEAT", "MIN_REPEAT")
_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
Signs = frozenset[str] | None
"""The characters that may stand at a place; None: any, or none at all."""


def never_holds(tree: Any) -> bool:
    """Whether a parsed pattern has a boundary that holds in no text."""
    return any(_senseless(list(tree), None, None))


def _senseless(nodes: Sequence[Any], before: Signs, after: Signs) -> Iterator[bool]:
    """For each boundary of a sequence, whether it can never hold between what stands `before` and `after` it."""
    for place, (op, arg) in enumerate(nodes):
        left, right = _last(nodes[:place], before), _first(nodes[place + 1 :], after)
        if str(arg) == "AT_BOUNDARY":
            yield left is not None and right is not None and (left | right <= _WORD or not (left | right) & _WORD)
        for inner in _inner(str(op), arg):
            again = str(op) in _REPEATS and arg[1] > 1
            low = _both(left, _last(inner, left)) if again else left
            yield from _senseless(inner, low, _both(right, _first(inner, right)) if again else right)


def _inner(name: str, arg: Any) -> list[list[Any]]:
    if name in _REPEATS:
        return [list(arg[2])]
    if name == "SUBPATTERN":
        return [list(arg[-1])]
    return [list(one) for one in arg[1]] if name == "BRANCH" else []


def _first(nodes: Sequence[Any], after: Signs) -> Signs:
    signs, empty = starts(nodes)
    return _both(signs, after) if empty else signs


def _last(nodes: Sequence[Any], before: Signs) -> Signs:
    return _first(_mirrored(nodes), before)


def _both(one: Signs, other: Signs) -> Signs:
    return None if one is None or other is None else one | other


def _mirrored(nodes: Sequence[Any]) -> list[Any]:
    """A sequence read from its end."""
    return [(op, _turned(str(op), arg)) for op, arg in reversed(list(nodes))]


def _turned(name: str, arg: Any) -> Any:
    if name in _REPEATS:
        return (*arg[:2], _mirrored(arg[2]))
    if name == "SUBPATTERN":
        return (*arg[:-1], _mirrored(arg[-1]))
    return (arg[0], [_mirrored(one) for one in arg[1]]) if name == "BRANCH" else arg
