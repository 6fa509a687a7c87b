"""What launchers, loggers and terminals put in front of a payload: stripped again and again, kept as fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from neurontriage.expressions import compiled, expression, told
from neurontriage.lines.ambiguity import starts
from neurontriage.lines.carried import OPENS, carried, unquoted
from neurontriage.lines.digits import folded, unfolded
from neurontriage.lines.levels import name
from neurontriage.lines.patterns import sre
from neurontriage.lines.remembered import remembered
from neurontriage.lines.shapes import SHAPES
from neurontriage.model import Prefix

RELAYS = expression(r"(?<!<)std(?:out|err)|PyProcess|MODEL_LOG")
"""Launchers that print whatever a worker says at level INFO."""
RUNTIME = r"\d{4}-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d\.\d{3,6} +\d+: ?\d+ "
"""How a line of the runtime begins, before its level."""
_BAR = r"[^\r\n]{0,200}?\d%\|[^|]*\|[^\]]*\]\s*(?:,\s*)?(?=\S)"  # tqdm
_BARRED = expression(_BAR)
_NAME = expression(r"[\w./@-]+(?:\[\d+\])?")
_ANYTHING = "Traceback (most recent call last):"  # a text that no prefix takes
_RUNTIME = expression(rf"(?:[a-z][\w.-]{{0,30}}: )?{RUNTIME}")
_MOST = 12
_LONGEST = 600  # characters that one prefix may take; keeps a hostile line from costing more
_NEAR = 2  # characters at the start in which shapes may tell digits apart: a level from 0 to 7, a status of HTTP


@cache
def _shapes(first: str) -> tuple[re.Pattern[str], ...]:
    """The shapes that a text with this first character may have."""
    kind = SHAPES[_kind(first)]
    return tuple(compiled(shape) for shape in kind if not first.isascii() or first in told(shape, first_signs)[0])


def first_signs(shape: str) -> tuple[str, ...]:
    """The ASCII characters that a shape may start with, as one text."""
    signs, empty = starts(sre.parse(shape, 0))
    assert not empty, shape
    both = {sign.swapcase() for sign in signs} if "(?i" in shape else set()
    return ("".join(sorted(signs | both)),)


@remembered(2048)
def strip(text: str, own: int = 0) -> Prefix:
    """One line → its payload and what stood in front of it.

    `own`: where the text of the stream begins, if its log proves more than the line shows. Of several levels the last
    one counts: the others are those of launchers that print what a program says. Nothing that a log family itself
    starts with is taken (compiler, runtime and glog times stay).
    """
    kept: dict[str, str] = {}
    payload = text
    if own:
        payload = _behind(text, own, kept)
        kept.pop("level", None)  # a launcher's, which says nothing of what it prints
    payload = _stripped(payload, kept)
    rank = kept.get("rank")
    return Prefix(
        payload=payload,
        rank=int(rank) if rank else None,
        host=kept.get("host"),
        time=kept.get("time"),
        process=kept.get("process"),
        level=name(level) or None if (level := kept.get("level")) else None,
    )


def outermost(text: str) -> int:
    """Where the outermost header of a line ends that says a level; 0 where none does."""
    kept: dict[str, str] = {}
    payload = text
    for _ in range(_MOST):
        shorter = _once(payload, kept)
        if shorter == payload:
            return 0
        payload = shorter
        if "level" in kept:
            return len(text) - len(payload)
    return 0


def _stripped(payload: str, kept: dict[str, str]) -> str:
    for _ in range(_MOST):
        shorter = _once(_opened(payload, kept) if payload[:1] in OPENS else payload, kept)
        if shorter == payload:
            break
        payload = shorter
    if "level" in kept and _RUNTIME.match(payload):
        del kept["level"]  # a launcher's: the runtime says its own
    return payload


def _behind(text: str, own: int, kept: dict[str, str]) -> str:
    """The text behind a prefix that its log proves; what no table knows of the prefix names the process."""
    whole = text
    while (opened := _opened(whole, kept)) is not whole:
        whole = opened
    if whole is not text:
        return whole
    rest = text[:own]
    left = _stripped(f"{rest}{_ANYTHING}", kept).removesuffix(_ANYTHING)
    names = [name for name in _NAME.findall(left) if not name.replace(".", "").isdigit()]
    if names and rest.endswith(left):
        kept.setdefault("process", " ".join(names))
    return unquoted(text[own:])


def _opened(text: str, kept: dict[str, str]) -> str:
    """The line that a line of JSON, CSV or logfmt carries; the line itself where it carries none."""
    if (found := carried(text)) is None:
        return text
    _keep(found.said, kept)
    return found.text


def _once(text: str, kept: dict[str, str]) -> str:
    taken, said = _taken(text[:_NEAR], folded(text[_NEAR:_LONGEST]))
    if said:
        _keep({name: text[start:end] for name, start, end in said}, kept)
    return text[taken:] if taken else text


@remembered(2048)
def _taken(near: str, rest: bytes) -> tuple[int, tuple[tuple[str, int, int], ...]]:
    """How much of a text is a prefix, and where in it stands what it says: with other digits, too."""
    text = near + unfolded(rest)
    for shape in _shapes(text[:1]):
        found = shape.match(text)
        if found and found.end():
            said = (name for name, value in found.groupdict().items() if value is not None)
            return found.end(), tuple((name, *found.span(name)) for name in said)
    bar = _BARRED.match(text) if "%|" in text else None
    return bar.end() if bar else 0, ()


def _keep(found: Mapping[str, str | None], kept: dict[str, str]) -> None:
    """Keep what a header says; a level is a launcher's until the header of the program itself stands behind it."""
    if "time" in kept and found.get("time"):
        kept.pop("level", None)
    for part, value in found.items():
        if value is not None and part.startswith("level"):
            kept["level"] = value
        elif value is not None:
            kept.setdefault(part, value)


def _kind(first: str) -> str:
    if first in ("[", "("):
        return first
    return "0" if first.isdigit() else "a" if first.isalpha() or first == "_" else ""
