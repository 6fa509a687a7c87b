"""Checks and measures a pattern: only regular expressions that a linear-time engine accepts are allowed."""

from __future__ import annotations

import importlib
import re
import sys
from functools import lru_cache
from typing import Any

sre: Any = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")

FLAGS = re.ASCII
_FORBIDDEN = {
    "ASSERT": "look-ahead/behind",
    "ASSERT_NOT": "look-ahead/behind",
    "GROUPREF": "back-reference",
    "GROUPREF_EXISTS": "conditional group",
    "ATOMIC_GROUP": "atomic group",
    "POSSESSIVE_REPEAT": "possessive repeat",
}
# A repeat at the end: the scanner reports every end of a match, so each more character would be one more report.
_TAIL = re.compile(
    r"(?P<before>(?:[^\\]|^)(?:\\\\)*)(?P<atom>\\[dwsDWS]|\.|\[(?:[^\[\]\\]|\\.)+\])(?P<sign>[+*])(?P<closed>\)*)$"
)
_RUN = re.compile(r"(?:\((?:\?:|\?P<\w+>)?)*(?P<atom>\\[dwS]|\[(?:[^\[\]\\]|\\.)+\])[+*]")
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT")
_MOST_UNBOUNDED = 6
_MOST_REPEAT = 100
_LEAST_LITERAL = 4


@lru_cache(maxsize=4096)
def _parse(text: str) -> Any:
    return sre.parse(text, FLAGS)


def _walk(tree: Any, inside: int = 0) -> Any:
    """Yield (operation, argument, number of unbounded repeats around it) for every node."""
    for op, arg in tree:
        name = str(op)
        yield name, arg, inside
        if name in _REPEATS:
            yield from _walk(arg[2], inside + (arg[1] is sre.MAXREPEAT))
        elif name == "SUBPATTERN":
            yield from _walk(arg[-1], inside)
        elif name == "BRANCH":
            for branch in arg[1]:
                yield from _walk(branch, inside)


def fault_of(text: str) -> str | None:
    """Why a pattern may not be used (in words), or None when it is fine.

    Allowed is what both `re` and Hyperscan read the same way, with a literal of at least four characters
    that every match contains, and without repeats inside repeats, so that matching stays linear.
    """
    try:
        nodes = list(_walk(_parse(text)))
    except re.error as error:
        return f"not a regular expression: {error}"
    for name, _, _ in nodes:
        if name in _FORBIDDEN:
            return f"{_FORBIDDEN[name]} is not linear-time"
    repeats = [(arg, inside) for name, arg, inside in nodes if name in _REPEATS]
    unbounded = [arg for arg, _ in repeats if arg[1] is sre.MAXREPEAT]
    if any(inside for arg, inside in repeats if arg[1] is sre.MAXREPEAT):
        return "a repeat inside a repeat can backtrack without bound"
    if len(unbounded) > _MOST_UNBOUNDED:
        return f"more than {_MOST_UNBOUNDED} unbounded repeats"
    if any(arg[1] is not sre.MAXREPEAT and arg[1] > _MOST_REPEAT for arg, _ in repeats):
        return f"a bounded repeat over {_MOST_REPEAT}: use .* instead"
    if len(anchor(text)) < _LEAST_LITERAL:
        return f"no literal of {_LEAST_LITERAL} characters that every match contains"
    return None


def _runs(tree: Any) -> list[str]:
    """Literal runs that every match of the sequence contains; '' marks a break between runs."""
    runs = [""]
    for op, arg in tree:
        name = str(op)
        if name == "LITERAL":
            runs[-1] += chr(arg)
        elif name == "SUBPATTERN":
            inner = _runs(arg[-1])
            runs[-1] += inner[0]
            runs += inner[1:]
        elif name == "BRANCH":
            shortest = min((max(_runs(branch), key=len) for branch in arg[1]), key=len)
            runs += [shortest, ""]
        elif name in _REPEATS and arg[0] > 0:
            runs += [*_runs(arg[2]), ""]
        elif name != "AT":
            runs.append("")
    return runs


@lru_cache(maxsize=4096)
def anchor(text: str) -> str:
    """The longest literal that every match of the pattern contains, as far as it can be told ("" if none)."""
    return max(_runs(_parse(text)), key=len)


@lru_cache(maxsize=4096)
def weight(text: str) -> int:
    """How specific a pattern is: the number of literal characters that every match contains."""
    return sum(map(len, _runs(_parse(text))))


def at_run_starts(text: str) -> str:
    """A pattern that starts with a run (`\\w+ …`) for `re`: tried where a run starts, not at each of its characters.

    It matches the same: whatever matches from the middle of a run matches from the run's start, and that comes first.
    """
    first: Any = _parse(text)[0]
    while str(first[0]) == "SUBPATTERN" and len(first[1][-1]):
        first = first[1][-1][0]
    run = _RUN.match(text)
    if run is None or str(first[0]) not in _REPEATS:
        return text
    _, most, body = first[1]
    return f"(?<!{run['atom']}){text}" if most is sre.MAXREPEAT and str(body[0][0]) == "IN" else text


def _least(tail: re.Match[str]) -> str:
    """A repeat at the end at its least: `x+` says no more than `x`, and `x*` nothing."""
    return tail["before"] + (tail["atom"] if tail["sign"] == "+" else "") + tail["closed"]


def prefilter(text: str) -> str:
    """The pattern as the block scanner takes it: without the anchors `^`/`$`, which mean the payload."""
    body = re.sub(r"\(\?P<\w+>", "(", text)
    flags = re.match(r"\(\?[a-z]+\)", body)
    head = flags.group() if flags else ""
    body = body[len(head) :].removeprefix("^")
    if body.endswith("$") and not body.endswith("\\$"):
        body = body[:-1]
    return head + _TAIL.sub(_least, body)
