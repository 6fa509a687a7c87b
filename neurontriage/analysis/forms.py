"""Printed HLO instructions → what they are and which limits they meet; those of one form are parsed once.

The instructions of a large model are a few hundred forms with other sizes, names and places in the source, and none of
these three decides about a limit.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from neurontriage.hlo.instruction import Instruction, Shape
from neurontriage.hlo.text import parse
from neurontriage.operators import limits
from neurontriage.operators.limits import Match

_NUMBERED = re.compile(r"(%[A-Za-z_][\w-]*)(?:\.\d+)+")
_SIZES = re.compile(r"\b([a-z]\w*)\[([\d,<=? ]+)\]")
_SIZE = re.compile(r"\d+")
_ATTRIBUTE = re.compile(r", [A-Za-z_][\w-]*=")
_METADATA = re.compile(r'(?<=, metadata=)\{(?:[^{}"]|"[^"\\]*")*\}')
Judged = tuple[Instruction | None, tuple[Match, ...]]


def judged(text: str, target: str) -> Judged:
    """The instruction, None where the grammar does not know its form, and every limit that it meets on a target.

    Names have no numbers in it: `%add.7` is `%add`.
    """
    return _judged(_NUMBERED.sub(r"\1", text), target)


@lru_cache(maxsize=65_536)
def _judged(text: str, target: str) -> Judged:
    first = _ATTRIBUTE.search(text)
    cut = first.start() if first else len(text)
    head, tail = text[:cut], text[cut:]
    metadata = _METADATA.search(tail)
    if metadata:
        tail = f"{tail[: metadata.start()]}{{}}{tail[metadata.end() :]}"
    form = _SIZES.sub(_unsized, head) + tail
    found, matches = _of_form(form, target)
    if found is None:
        return None, ()
    sizes = [dims for _, dims in _SIZES.findall(head)]
    whole = _sized(found, sizes)
    if whole is None:
        return _of_form(text, target)
    if metadata:
        whole = replace(whole, attributes={**whole.attributes, "metadata": metadata[0]})
    return whole, matches


def _unsized(found: re.Match[str]) -> str:
    return f"{found[1]}[{_SIZE.sub('0', found[2])}]"


@lru_cache(maxsize=65_536)
def _of_form(text: str, target: str) -> Judged:
    found = parse(text)
    return found, limits.of_instruction(found, target) if found else ()


def _sized(found: Instruction, sizes: list[str]) -> Instruction | None:
    """The instruction of a form with its own sizes; None where the printed ones are not those of its shapes."""
    left = iter(sizes)
    shapes = [_shape(shape, next(left, "")) if shape.dims else shape for shape in found.shapes]
    if next(left, None) is not None or any(new is None for new in shapes):
        return None
    whole = tuple(shape for shape in shapes if shape is not None)
    count = len(found.result)
    return replace(found, result=whole[:count], operands=whole[count:])


@lru_cache(maxsize=65_536)
def _shape(form: Shape, printed: str) -> Shape | None:
    dims = tuple(printed.replace(" ", "").split(","))
    return Shape(form.dtype, dims, form.layout) if len(dims) == len(form.dims) else None
