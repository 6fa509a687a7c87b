"""HLO text → instructions: one printed instruction, or all computations of a module, by one Lark grammar."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, TypeAlias

from lark import Lark, Token, Transformer
from lark.exceptions import LarkError, UnexpectedInput

from neurontriage.hlo.instruction import Instruction, Shape
from neurontriage.resources import grammars

Node: TypeAlias = Any
"""What the parser hands on: a token, a shape or one of the parts below."""

LONGEST = 65_536
"""Characters; a longer single instruction (a printed constant) is shown as text and not parsed."""
DEEPEST = 64
"""Levels of nested tuples in a shape."""


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple shape with its members; `flat` are all arrays in it, in order."""

    members: tuple[Shape | Tuple, ...]
    flat: tuple[Shape, ...] = field(compare=False)
    depth: int = field(default=1, compare=False)


Tree: TypeAlias = Shape | Tuple


@dataclass(frozen=True, slots=True)
class Computation:
    """A computation of a module text: its instructions in the printed order."""

    name: str
    entry: bool
    instructions: tuple[Printed, ...]


@dataclass(frozen=True, slots=True)
class Printed:
    """An instruction of a module text, and its result with the tuples not flattened."""

    instruction: Instruction
    shape: Tree


@dataclass(frozen=True, slots=True)
class ModuleText:
    """A parsed module: header attributes as printed, tables of stack frames, computations."""

    name: str
    attributes: Mapping[str, str]
    sections: Mapping[str, tuple[str, ...]]
    computations: tuple[Computation, ...]


@dataclass(frozen=True, slots=True)
class _Span:
    """Where a piece of text stands; the text itself is cut out after the parse."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Attribute:
    key: str
    value: _Span


@dataclass(frozen=True, slots=True)
class _Typed:
    shape: Tree
    name: str


class _Build(Transformer[Token, Node]):
    """Runs inside the parser, so that deep nesting in hostile input costs no recursion."""

    def array(self, children: list[Node]) -> Node:
        dtype, *dims, layout = children
        found = tuple(str(dim) for dim in dims if dim is not None)
        return Shape(str(dtype), found, None if layout is None else str(layout))

    def shapes(self, children: list[Node]) -> Node:
        members = tuple(child for child in children if child is not None)
        depth = 1 + max((m.depth for m in members if isinstance(m, Tuple)), default=0)
        if depth > DEEPEST:
            raise LarkError("tuples nested too deep")
        return Tuple(members, tuple(shape for member in members for shape in flat(member)), depth)

    def typed(self, children: list[Node]) -> Node:
        return _Typed(children[0], bare(children[1]) if children[1] else "")

    def plain(self, children: list[Node]) -> Node:
        return children[0] if isinstance(children[0], _Span) else self.group(children)

    def group(self, children: list[Node]) -> _Span:
        return _Span(_start(children[0]), _end(children[-1]))

    pair = group
    literal = group

    def target(self, children: list[Node]) -> Node:
        return children[0] is not None, bare(children[1])

    def attribute(self, children: list[Node]) -> Node:
        return _Attribute(str(children[0]), self.plain(children[1:]))

    def section(self, children: list[Node]) -> Node:
        return str(children[0]), [self.plain([child]) for child in children[2::2]]


def _start(node: Node) -> int:
    return node.start if isinstance(node, _Span) else int(node.start_pos)


def _end(node: Node) -> int:
    return node.end if isinstance(node, _Span) else int(node.end_pos)


def flat(shape: Tree) -> tuple[Shape, ...]:
    """The arrays of a shape."""
    return shape.flat if isinstance(shape, Tuple) else (shape,)


def bare(name: str) -> str:
    """A name without the percent sign that some printers put in front."""
    return str(name).removeprefix("%")


@lru_cache(maxsize=2)
def _parser(start: str) -> Lark:
    text = (grammars() / "hlo.lark").read_text(encoding="utf-8")
    return Lark(text, start=start, parser="lalr", lexer="contextual", maybe_placeholders=True, transformer=_Build())


def parse(text: str) -> Instruction | None:
    """The printed instruction, or None when its form is not known (it is then shown as text)."""
    if len(text) > LONGEST:
        return None
    try:
        parsed: Node = _parser("start").parse(text)
    except LarkError:
        return None
    return _instruction(parsed.children, text).instruction


def parse_module(text: str) -> ModuleText:
    """A whole module; raises ValueError that names the line (1-based) where its form is not known."""
    try:
        parsed: Node = _parser("module").parse(text)
    except UnexpectedInput as error:
        line = text.split("\n")[error.line - 1].strip() if 0 < error.line <= text.count("\n") + 1 else ""
        raise ValueError(f"line {error.line} is not HLO as XLA prints it: {line[:120]}") from None
    except LarkError as error:
        raise ValueError(f"not HLO as XLA prints it: {error}") from None
    name, *rest = parsed.children
    return ModuleText(
        bare(name),
        _attributes(rest, text),
        {key: tuple(text[s.start : s.end] for s in spans) for key, spans in (r for r in rest if isinstance(r, tuple))},
        tuple(_computation(part.children, text) for part in rest if getattr(part, "data", "") == "computation"),
    )


def _computation(children: list[Node], text: str) -> Computation:
    entry, name, *rest = children
    body = [part for part in rest if getattr(part, "data", "") == "instruction"]
    return Computation(bare(name), entry is not None, tuple(_instruction(part.children, text) for part in body))


def _instruction(children: list[Node], text: str) -> Printed:
    target, shape, opcode, *rest = children
    found = Instruction(
        opcode=str(opcode),
        result=flat(shape),
        operands=tuple(s for part in rest if isinstance(part, _Typed) for s in flat(part.shape)),
        values=tuple(text[part.start : part.end] for part in rest if isinstance(part, _Span)),
        attributes=_attributes(rest, text),
    )
    root, name = target or (False, "")
    inputs = tuple(_input(part, text) for part in rest if isinstance(part, _Typed | _Span))
    return Printed(replace(found, name=name, root=root, inputs=inputs), shape)


def _input(part: _Typed | _Span, text: str) -> str:
    return part.name if isinstance(part, _Typed) else bare(text[part.start : part.end])


def _attributes(parts: list[Node], text: str) -> dict[str, str]:
    return {p.key: text[p.value.start : p.value.end] for p in parts if isinstance(p, _Attribute)}
