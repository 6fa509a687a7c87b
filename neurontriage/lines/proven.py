"""Which patterns need no second look: where the scanner found one of them, it is in the line, if that is `whole`."""

from __future__ import annotations

from typing import Any

from neurontriage.lines.patterns import FLAGS, sre, walk

_WHOLE = 1500
"""A line that is shorter was not cut around its hits."""
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT")


def whole(line: str) -> bool:
    """Whether the scanner saw all of this line, without the blanks around it, as it is: beyond ASCII it sees bytes."""
    return len(line) < _WHOLE and line.isascii()


def certain(pattern: str) -> bool:
    """Whether every hit of a pattern in a whole line is a match, and says all that a match does.

    It captures nothing, takes no line feed, and neither starts nor ends with a blank or an anchor.
    """
    if "(?P<" in pattern:
        return False
    tree = sre.parse(pattern, FLAGS)
    nodes = list(walk(tree))
    ends = any(name == "AT" and "BOUNDARY" not in str(arg) for name, arg, _ in nodes)
    feeds = any(map(_takes_feed, nodes))
    return not ends and not feeds and not _edge(list(tree)) and not _edge(list(tree), -1)


def _takes_feed(node: tuple[str, Any, int]) -> bool:
    """Whether a node of a parsed pattern may match a line feed."""
    name, arg, _ = node
    return name == "NOT_LITERAL" or (name == "LITERAL" and chr(arg) == "\n") or (name == "IN" and _blank(arg, "\n"))


def _edge(nodes: list[Any], way: int = 1) -> bool:
    """Whether a sequence may start (or end, with -1) with a blank, or be empty."""
    for op, arg in nodes[::way]:
        name = str(op)
        if name == "AT":
            continue
        if name in _REPEATS:
            inside = _edge(list(arg[2]), way)
            if inside or arg[0] > 0:
                return inside
        else:
            return _first(name, arg, way)
    return True


def _first(name: str, arg: Any, way: int) -> bool:
    if name == "LITERAL":
        return chr(arg).isspace()
    if name == "SUBPATTERN":
        return _edge(list(arg[-1]), way)
    if name == "BRANCH":
        return any(_edge(list(branch), way) for branch in arg[1])
    return name != "IN" or _blank(arg, " \t\r\f\v")


def _blank(items: Any, blanks: str) -> bool:
    """Whether a bracket expression takes one of these characters, or may."""
    return any(
        (name == "LITERAL" and chr(arg) in blanks)
        or (name == "RANGE" and any(arg[0] <= ord(blank) <= arg[1] for blank in blanks))
        or (name == "CATEGORY" and ("SPACE" in str(arg) or "NOT" in str(arg)))
        or name == "NEGATE"
        for name, arg in ((str(op), arg) for op, arg in items)
    )
