"""Parses one printed HLO instruction into opcode, shapes, operands and attributes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from lark import Lark, Token, Transformer
from lark.exceptions import LarkError

from neurontriage.resources import grammars

Node: TypeAlias = Any
"""What the parser hands on: a token, shapes, a span or a pair (attribute, span)."""

LONGEST = 65_536
"""Characters; a longer instruction (a printed constant) is shown as text and not parsed."""


@dataclass(frozen=True, slots=True)
class Shape:
    """An array: element type, dimensions as printed (`4`, `<=4`, `?`) and layout (`{0}`), if there is one."""

    dtype: str
    dims: tuple[str, ...] = ()
    layout: str | None = None

    @property
    def dynamic(self) -> bool:
        """Whether a dimension is only bounded or unknown."""
        return any(not dim.isdigit() for dim in self.dims)


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction; tuples are flattened into their arrays, attribute values are the printed text."""

    opcode: str
    result: tuple[Shape, ...] = ()
    operands: tuple[Shape, ...] = ()
    values: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return self.result + self.operands

    @property
    def dtypes(self) -> tuple[str, ...]:
        """Every element type that occurs, once, results first."""
        return tuple(dict.fromkeys(shape.dtype for shape in self.shapes))

    def numbers(self, attribute: str, part: str) -> tuple[int, ...]:
        """`window={stride=2x2}` asked for ("window", "stride") gives (2, 2); () where it is not printed."""
        inner = self.attributes.get(attribute, "").strip("{}")
        parts = dict(item.split("=", 1) for item in inner.split() if "=" in item)
        return tuple(int(n) for n in parts.get(part, "").split("x") if n.isdigit())


@dataclass(frozen=True, slots=True)
class _Span:
    """Where a piece of text stands; the text itself is cut out after the parse."""

    start: int
    end: int


class _Build(Transformer[Token, Node]):
    """Runs inside the parser, so that deep nesting in hostile input costs no recursion."""

    def array(self, children: list[Node]) -> Node:
        dtype, *dims, layout = children
        found = tuple(str(dim) for dim in dims if dim is not None)
        return (Shape(str(dtype), found, None if layout is None else str(layout)),)

    def shapes(self, children: list[Node]) -> Node:
        return tuple(shape for child in children if child is not None for shape in child)

    def typed(self, children: list[Node]) -> Node:
        return children[0]

    def plain(self, children: list[Node]) -> Node:
        return children[0] if isinstance(children[0], _Span) else self.group(children)

    def group(self, children: list[Node]) -> _Span:
        return _Span(children[0].start_pos, children[-1].end_pos)

    pair = group

    def target(self, _: list[Node]) -> None:
        return None

    def attribute(self, children: list[Node]) -> Node:
        return str(children[0]), self.plain(children[1:])

    def start(self, children: list[Node]) -> Node:
        return children[1:]


@lru_cache(maxsize=1)
def _parser() -> Lark:
    text = (grammars() / "hlo_instruction.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer="contextual", maybe_placeholders=True, transformer=_Build())


def parse(text: str) -> Instruction | None:
    """The printed instruction, or None when its form is not known (it is then shown as text)."""
    if len(text) > LONGEST:
        return None
    try:
        parsed: Node = _parser().parse(text)
    except LarkError:
        return None
    result, opcode, *rest = parsed
    rest = [part for part in rest if part is not None]
    return Instruction(
        opcode=str(opcode),
        result=result,
        operands=tuple(shape for part in rest if _is_shapes(part) for shape in part),
        values=tuple(text[part.start : part.end] for part in rest if isinstance(part, _Span)),
        attributes={part[0]: text[part[1].start : part[1].end] for part in rest if _is_attribute(part)},
    )


def _is_attribute(part: Node) -> bool:
    return isinstance(part, tuple) and bool(part) and isinstance(part[0], str)


def _is_shapes(part: Node) -> bool:
    return isinstance(part, tuple) and not _is_attribute(part)
