"""Checks and measures a pattern: only regular expressions that a linear-time engine accepts are allowed."""

from __future__ import annotations

import importlib
import math
import re
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from neurontriage.expressions import expression
from neurontriage.lines.ambiguity import ambiguity
from neurontriage.lines.boundaries import never_holds
from neurontriage.lines.least import after, least

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
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT")
# `\333` is a character to one engine and a group to another, whose numbers have an end.
_NUMBER = expression(r"(?:[^\\]|^)(?:\\\\)*\\\d")
# A brace that begins no repeat is a character to one engine, and to another a number, which has an end.
_BRACE = expression(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]?|\{\d+(?:,\d*)?\}|(?P<brace>\{,?\d)")
_WIDE = expression(r"\[[^\[\]]*[^\x00-\x7f]|[^\x00-\x7f][*+?{]")
_MOST_UNBOUNDED = 6
_MOST_REPEAT = 100
_LEAST_LITERAL = 4
# What of a pattern opens and closes groups and leaves a choice; what it takes literally, and classes, are passed over.
_SIGNS = expression(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]?|(?P<repeat>[*+]|\{\d+,)|(?P<maybe>\?)|(?P<or>\|)"
    r"|\(\?[a-z]+\)|(?P<open>\((?:\?(?:P<\w+>|[a-z]*:))?)|(?P<close>\))"
)


@lru_cache(maxsize=64)
def _parse(text: str) -> Any:
    return sre.parse(text, FLAGS)


def walk(tree: Any, inside: int = 0) -> Any:
    """Yields (operation, argument, number of unbounded repeats around it) for every node."""
    for op, arg in tree:
        name = str(op)
        yield name, arg, inside
        if name in _REPEATS:
            yield from walk(arg[2], inside + (arg[1] is sre.MAXREPEAT))
        elif name == "SUBPATTERN":
            yield from walk(arg[-1], inside)
        elif name == "BRANCH":
            for branch in arg[1]:
                yield from walk(branch, inside)


def choices(text: str) -> float:
    """At how many places a backtracking engine may have to try again; infinite with a repeat of no fixed length.

    Told by the signs of the text: to parse it takes longer than what it is asked for.
    """
    found, groups = 0, [False]
    for sign in _SIGNS.finditer(text):
        kind = sign.lastgroup
        if kind == "repeat":
            return math.inf
        if kind == "open":
            groups.append(False)
        elif kind == "close":
            groups.pop()
        elif kind == "maybe" or (kind == "or" and not groups[-1]):
            found += 1
            groups[-1] = groups[-1] or kind == "or"
    return found


def fault_of(text: str) -> str | None:
    """Why a pattern may not be used (in words), or None when it is fine.

    Allowed is what `re`, RE2 and Hyperscan read the same way, with a literal of at least four characters that every
    match contains, without repeats inside repeats and without two ways to match the same text.
    """
    if not text.isprintable():
        return "holds a control character"
    try:
        nodes = list(walk(_parse(text)))
    except (re.error, OverflowError, RecursionError) as error:
        return f"not a regular expression: {error}"
    faults = (*_forbidden(nodes), *_repeated(nodes), *_unclear(text))
    return next((fault for fault in faults), None)


def _forbidden(nodes: Sequence[Any]) -> Iterator[str]:
    for name, arg, _ in nodes:
        if name in _FORBIDDEN:
            yield f"{_FORBIDDEN[name]} is not linear-time"
        elif name == "AT" and str(arg).endswith("_STRING"):
            yield "\\A and \\Z mean the whole text, of which a scanner sees pieces: write ^ and $"
        elif name == "AT" and str(arg) == "AT_NON_BOUNDARY":
            yield "\\B beside a letter that is not ASCII can never match: write what stands there"


def _repeated(nodes: Sequence[Any]) -> Iterator[str]:
    repeats = [(arg, inside) for name, arg, inside in nodes if name in _REPEATS]
    unbounded = [arg for arg, _ in repeats if arg[1] is sre.MAXREPEAT]
    if any(inside for arg, inside in repeats if arg[1] is sre.MAXREPEAT):
        yield "a repeat inside a repeat can backtrack without bound"
    if len(unbounded) > _MOST_UNBOUNDED:
        yield f"more than {_MOST_UNBOUNDED} unbounded repeats"
    if any(arg[1] is not sre.MAXREPEAT and arg[1] > _MOST_REPEAT for arg, _ in repeats):
        yield f"a bounded repeat over {_MOST_REPEAT}: use .* instead"


def _unclear(text: str) -> Iterator[str]:
    if _NUMBER.search(text):
        yield "a number behind a backslash is a character to one engine and a group to another: write \\x41"
    if any(sign["brace"] for sign in _BRACE.finditer(text)):
        yield "a brace before a number that is no repeat is read in two ways: write \\{"
    if _WIDE.search(text):
        yield "a letter that is not ASCII is several bytes to a scanner: not in a class, not repeated by itself"
    if not _anchored_outside(_parse(text), True, True):
        yield "^ and $ stand for the ends of the payload: only at the ends of a pattern"
    if "\\b" in text and never_holds(_parse(text)):
        yield "a \\b that can never hold: beside it stand letters, or none, on both sides"
    if unclear := ambiguity(_parse(text)):
        yield unclear
    if len(anchor(text)) < _LEAST_LITERAL:
        yield f"no literal of {_LEAST_LITERAL} characters that every match contains"


def _anchored_outside(tree: Any, start: bool, end: bool) -> bool:
    """Whether `^` and `$` stand only where nothing can come before or after: elsewhere Hyperscan refuses them."""
    nodes = list(tree)
    for place, (op, arg) in enumerate(nodes):
        first, last = start and place == 0, end and place == len(nodes) - 1
        name = str(op)
        if name == "AT" and ((str(arg) == "AT_BEGINNING" and not first) or (str(arg) == "AT_END" and not last)):
            return False
        inner = [arg[-1]] if name == "SUBPATTERN" else list(arg[1]) if name == "BRANCH" else []
        inner += [arg[2]] if name in _REPEATS else []
        once = name not in _REPEATS or arg[1] == 1
        if not all(_anchored_outside(part, first and once, last and once) for part in inner):
            return False
    return True


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


def literals(text: str) -> tuple[str, ...]:
    """Literals of which every match of a pattern holds one, in small letters; ("",) where there are none."""
    return tuple(sorted({one.lower() for one in _either(_parse(text))}))


def _either(tree: Any) -> tuple[str, ...]:
    found: list[tuple[str, ...]] = []
    run = ""
    for op, arg in tree:
        name = str(op)
        if name == "LITERAL":
            run += chr(arg)
            continue
        if name != "AT":
            found, run = [*found, (run,)], ""
        if name == "BRANCH":
            found.append(tuple(one for branch in arg[1] for one in _either(branch)))
        elif name == "SUBPATTERN" or (name in _REPEATS and arg[0] > 0):
            found.append(_either(arg[-1]))
    return max([*found, (run,)], key=lambda one: min(map(len, one)))


@lru_cache(maxsize=4096)
def anchor(text: str) -> str:
    """The longest literal that every match of the pattern contains, as far as it can be told ("" if none)."""
    return max(_runs(_parse(text)), key=len)


@lru_cache(maxsize=4096)
def weight(text: str) -> int:
    """How specific a pattern is: the number of literal characters that every match contains."""
    return sum(map(len, _runs(_parse(text))))


def prefilter(text: str) -> str:
    """The pattern as the block scanner takes it: at its least, without `^` and `$`, which mean the payload."""
    body = re.sub(r"\(\?P<\w+>", "(", text)
    flags = re.match(r"\(\?[a-z]+\)", body)
    head = flags.group() if flags else ""
    body = body[len(head) :].removeprefix("^")
    if body.startswith("(?:^|"):
        body = body[after(body, 0) :]  # the payload may start behind anything
    if body.endswith("$") and not body.endswith("\\$"):
        body = body[:-1]
    return head + least(body)
