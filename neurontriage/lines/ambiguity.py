"""Finds where a pattern can match the same text in several ways: what makes other engines than ours explode.

`(?:a|aa)+`, `.*.*` and `(?:a{1,50}){1,50}` say nothing that a simpler pattern does not say. They run in linear time
here, but a knowledge base is read by other tools too, and what is unclear to a machine is unclear to its reader.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

_REPEATS = ("MAX_REPEAT", "MIN_REPEAT")
_MANY = 1 << 16  # a repeat without an end has a larger maximum
_MOST_COPIES = 1000
_ASCII = [chr(code) for code in range(128)]
_CLASSES = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}


def ambiguity(tree: Any) -> str | None:
    """What is ambiguous in a parsed pattern, in words; None when nothing is."""
    return _adjacent(tree) or _nested(tree, 1)


@lru_cache(maxsize=64)
def _class(name: str) -> frozenset[str]:
    word = name.removeprefix("CATEGORY_")
    pattern = re.compile(_CLASSES[word.removeprefix("NOT_")], re.ASCII)
    return frozenset(sign for sign in _ASCII if bool(pattern.match(sign)) != word.startswith("NOT_"))


def _set(items: Any) -> frozenset[str]:
    """The ASCII characters of a bracket expression."""
    found: set[str] = set()
    negated = False
    for op, arg in items:
        name = str(op)
        if name == "NEGATE":
            negated = True
        elif name == "RANGE":
            found |= {sign for sign in _ASCII if arg[0] <= ord(sign) <= arg[1]}
        else:
            found |= _signs(name, arg)
    return frozenset(_ASCII) - found if negated else frozenset(found)


def _signs(name: str, arg: Any) -> frozenset[str]:
    """The characters that one node takes; none for what takes no single character."""
    if name == "LITERAL":
        return frozenset({chr(arg)})
    if name == "NOT_LITERAL":
        return frozenset(_ASCII) - {chr(arg)}
    if name == "ANY":
        return frozenset(_ASCII)
    if name == "IN":
        return _set(arg)
    return _class(str(arg)) if name == "CATEGORY" else frozenset()


def starts(tree: Any) -> tuple[frozenset[str], bool]:
    """The ASCII characters that a parsed sequence may start with, and whether it may be empty."""
    found: frozenset[str] = frozenset()
    for op, arg in tree:
        name = str(op)
        if name in ("AT", "ASSERT", "ASSERT_NOT"):
            continue
        signs, empty = _first(name, arg)
        found |= signs
        if not empty:
            return found, False
    return found, True


def _first(name: str, arg: Any) -> tuple[frozenset[str], bool]:
    if name in _REPEATS:
        signs, empty = starts(arg[2])
        return signs, empty or arg[0] == 0
    if name == "SUBPATTERN":
        return starts(arg[-1])
    if name == "BRANCH":
        parts = [starts(branch) for branch in arg[1]]
        return frozenset().union(*(signs for signs, _ in parts)), any(empty for _, empty in parts)
    return _signs(name, arg), False


def _adjacent(tree: Any) -> str | None:
    """Two repeats without an end, side by side, that take the same characters."""
    before: frozenset[str] = frozenset()
    for op, arg in tree:
        name = str(op)
        endless = name in _REPEATS and arg[1] > _MANY
        if endless and before & starts(arg[2])[0]:
            return "two repeats side by side that take the same characters"
        single = endless and len(arg[2]) == 1 and str(arg[2][0][0]) in ("ANY", "IN", "LITERAL", "NOT_LITERAL")
        before = starts(arg[2])[0] if single else frozenset()
        for part in _inner(name, arg):
            if found := _adjacent(part):
                return found
    return None


def _inner(name: str, arg: Any) -> list[Any]:
    if name in _REPEATS:
        return [arg[2]]
    if name == "SUBPATTERN":
        return [arg[-1]]
    return list(arg[1]) if name == "BRANCH" else []


def _nested(tree: Any, copies: int) -> str | None:
    """Repeats in repeats that multiply, and alternatives in an endless repeat that start alike."""
    for op, arg in tree:
        name = str(op)
        inside = copies
        if name in _REPEATS:
            inside *= min(arg[1], _MANY) if arg[0] != arg[1] or arg[1] > 1 else 1
            if _MOST_COPIES < inside < _MANY and copies > 1:
                return f"repeats inside repeats: more than {_MOST_COPIES} copies"
        if name == "BRANCH" and copies >= _MANY and _alike(arg[1]):
            return "alternatives in a repeat that start alike"
        for part in _inner(name, arg):
            if found := _nested(part, inside):
                return found
    return None


def _alike(branches: Any) -> bool:
    seen: frozenset[str] = frozenset()
    for branch in branches:
        signs, empty = starts(branch)
        if empty or seen & signs:
            return True
        seen |= signs
    return False
