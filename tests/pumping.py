"""Finds expressions that take more than linear time: each of their repeats is fed with what it takes, more and more.

From the parse tree of an expression come texts of the form head + unit × n + tail, in which the unit is what a repeat
may take, in several variants, and the tail spoils the match. Only growth is judged, never an absolute time.
"""

from __future__ import annotations

import ast
import functools
import importlib
import itertools
import math
import operator
import pkgutil
import re
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from lark import Lark

import neurontriage
from neurontriage.expressions import _Later, compiled
from neurontriage.lines.words import Sought

sre: Any = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
SIGNS = 'a1 -.:"\\[_'
TAILS = ("", "\x01", " !")
_LEAST, _ENOUGH, _LONGEST = 16, 1500, 64_000
_SLOW, _CLEAR, _ENDLESS = 0.001, 0.02, 0.1
_MANY = 12
"""A repeat that may take fewer is no repeat for us."""
Pump = tuple[str, str, str]


def _matches(node: Any, sign: str) -> bool:
    """Whether a node for one character takes this one."""
    op, arg = node
    name = str(op)
    if name == "LITERAL":
        return chr(arg) == sign
    if name == "NOT_LITERAL":
        return chr(arg) != sign
    if name == "ANY":
        return sign != "\n"
    if name == "RANGE":
        return arg[0] <= ord(sign) <= arg[1]
    if name == "CATEGORY":
        word = str(arg).removeprefix("CATEGORY_").removeprefix("UNI_")
        letter = {"DIGIT": "d", "SPACE": "s", "WORD": "w"}[word.removeprefix("NOT_")]
        return re.match("\\" + (letter.upper() if word.startswith("NOT_") else letter), sign) is not None
    negated = str(arg[0][0]) == "NEGATE"
    return any(_matches(one, sign) for one in arg[negated:]) != negated


def _sample(tree: Any, sign: str, branch: int) -> str:
    """A text that a parsed sequence takes: with this character wherever it may stand, in this one of the branches."""
    parts = []
    for op, arg in tree:
        name = str(op)
        if name == "LITERAL":
            parts.append(chr(arg))
        elif name in ("IN", "ANY", "NOT_LITERAL"):
            fit = itertools.chain(sign, SIGNS, map(chr, range(32, 127)), "\n\t\r\x1b\x00")
            parts.append(next((one for one in fit if _matches((op, arg), one)), "?"))
        elif name == "SUBPATTERN":
            parts.append(_sample(arg[-1], sign, branch))
        elif name == "BRANCH":
            parts.append(_sample(arg[1][branch % len(arg[1])], sign, branch))
        elif "REPEAT" in name:
            parts.append(_sample(arg[2], sign, branch) * (arg[0] or (1 if arg[1] and branch % 2 else 0)))
        elif name == "ATOMIC_GROUP":
            parts.append(_sample(arg, sign, branch))
    return "".join(parts)


def _inner(name: str, arg: Any) -> list[Any]:
    if "REPEAT" in name:
        return [arg[2]]
    if name in ("SUBPATTERN", "ASSERT", "ASSERT_NOT"):
        return [arg[-1]]
    if name == "ATOMIC_GROUP":
        return [arg]
    return list(arg[1]) if name == "BRANCH" else []


def _repeats(tree: Any, head: str) -> Iterator[tuple[str, Any]]:
    """(a text for what stands before it, the body) of every long repeat."""
    for op, arg in tree:
        name = str(op)
        if "REPEAT" in name and arg[1] > _MANY:
            yield head, arg[2]
        for part in _inner(name, arg):
            yield from _repeats(part, head)
        head += _sample([(op, arg)], "a", 0)


def pumps(text: str, flags: int = 0) -> set[Pump]:
    """What an expression is fed with."""
    tree = sre.parse(text, flags)
    found: set[Pump] = set()
    for head, body in _repeats(tree, ""):
        units = {_sample(body, sign, branch) for sign in SIGNS for branch in range(2)} - {""}
        found |= {(start, unit, tail) for start in {head, ""} for unit in units for tail in TAILS}
    for unit in {_sample(tree, sign, branch) for sign in "a1" for branch in range(3)} - {""}:
        found |= {("", unit, tail) for tail in TAILS}
    return found


def _cost(run: Callable[[str], object], text: str) -> float:
    """The least CPU time of a few runs."""
    best = math.inf
    for _ in range(3):
        started = time.process_time()
        run(text)
        best = min(best, time.process_time() - started)
        if not _SLOW < best < _CLEAR:
            break
    return best


def growth(run: Callable[[str], object], pump: Pump, least: int = _LEAST) -> float:
    """The exponent with which the cost grows with the length of the text; 0.0 where it is not worth a look.

    The text grows until it costs much more than at first: in small steps, since an exponential cost never comes back.
    `least`: the length to begin with. A repeat of at most so many is quadratic below that and linear above.
    """
    head, unit, tail = pump
    size, first = float(least), (0, 0.0)
    while size <= _LONGEST:
        text = head + unit * (int(size / len(unit)) + 1) + tail
        cost = _cost(run, text)
        if cost > _SLOW and not first[0]:
            first = len(text), cost
        elif cost > _SLOW and (len(text) >= 4 * first[0] or cost > _ENDLESS):
            return math.log(cost / first[1]) / math.log(len(text) / first[0])
        elif size > _ENOUGH and not first[0]:
            return 0.0
        size *= 1.15 if size < 100 else 1.5
    return 0.0


class Expression(NamedTuple):
    """An expression of the package. `whole`: it is tried at one place only, not searched for."""

    pattern: re.Pattern[Any]
    whole: bool

    def run(self, text: str) -> object:
        """Apply it to a text."""
        apply = self.pattern.match if self.whole else self.pattern.search
        return apply(text.encode("latin-1", "replace") if isinstance(self.pattern.pattern, bytes) else text)

    def growths(self) -> Iterator[tuple[float, Pump]]:
        """How it grows with each of what it is fed with."""
        text = self.pattern.pattern
        known = text if isinstance(text, str) else text.decode("latin-1")
        flags = self.pattern.flags & ~re.UNICODE if isinstance(text, bytes) else self.pattern.flags
        return ((growth(self.run, pump), pump) for pump in sorted(pumps(known, flags)))


def of_rooms(left_out: Collection[str], at_the_start: tuple[str, ...] = ()) -> dict[str, Expression]:
    """Every expression that the modules of the package hold or write out, by where; but those of some rooms."""
    found: dict[tuple[Any, int], tuple[str, Expression]] = {}
    for module in pkgutil.walk_packages(neurontriage.__path__, "neurontriage."):
        if module.ispkg or module.name.split(".")[1] in left_out or module.name in left_out:
            continue
        loaded = importlib.import_module(module.name)
        source = Path(str(loaded.__file__)).read_text()
        held = [one for name, value in vars(loaded).items() for one in _held(value, f"{module.name}.{name}")]
        for name, pattern in [*held, *_written(source, module.name)]:
            short = re.split(r"[\[:]", name.rpartition(".")[2])[0]
            uses = set(re.findall(rf"\b{short}\.(match|fullmatch|search|sub|subn|findall|finditer|split)\b", source))
            whole = (bool(uses) and uses <= {"match", "fullmatch"}) or name.startswith(at_the_start)
            found.setdefault((pattern.pattern, pattern.flags), (name, Expression(pattern, whole)))
    return dict(found.values())


def _held(value: Any, name: str, depth: int = 0) -> Iterator[tuple[str, re.Pattern[Any]]]:
    if isinstance(value, _Later):
        yield name, compiled(value._text, value._flags)
    elif isinstance(value, re.Pattern):
        yield name, value
    elif isinstance(value, Sought) and isinstance(value._compiled, _Later):
        yield from _held(value._compiled, name)
    elif isinstance(value, list | tuple) and depth < 3:
        for number, one in enumerate(value):
            yield from _held(one, f"{name}[{number}]", depth + 1)


def _written(source: str, module: str) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The expressions that a file writes out in calls of `re`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            of, text = node.func.value, node.args[0]
            if isinstance(of, ast.Name) and of.id == "re" and isinstance(text, ast.Constant):
                flags = [0, *(getattr(re, one.attr) for one in ast.walk(node) if _is_flag(one))]
                yield f"{module}:{node.lineno}", re.compile(text.value, functools.reduce(operator.or_, flags))


def _is_flag(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and node.attr in ("MULTILINE", "IGNORECASE", "ASCII", "DOTALL", "VERBOSE")


def of_grammars(grammars: Mapping[str, Lark]) -> dict[str, Expression]:
    """Every terminal of some grammars, which their lexers try at one place."""
    return {
        f"{name}.{one.name}": Expression(re.compile(one.pattern.to_regexp()), True)
        for name, grammar in grammars.items()
        for one in grammar.terminals
    }
