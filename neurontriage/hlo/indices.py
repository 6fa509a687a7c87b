"""How far the indices of a gather or scatter reach, where an iota or a constant says it at compile time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from neurontriage.hlo.literals import values

Proto = Any

_PASSED = frozenset({"reshape", "broadcast", "convert", "transpose", "copy", "bitcast"})
"""Opcodes that give back the values they are given."""
_STEPS = 32
_DIMENSIONS = {
    "gather": ("gather_dimension_numbers", "start_index_map"),
    "scatter": ("scatter_dimension_numbers", "scatter_dims_to_operand_dims"),
}


@dataclass(frozen=True, slots=True)
class Where:
    """Instructions by id, and the id of the root of each computation."""

    by_id: Mapping[int, Proto]
    roots: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Reach:
    """Where indices come from (`iota` or `constant`), one above the largest, and the size that they index."""

    source: str
    end: int
    size: int


def reach(instruction: Proto, where: Where) -> Reach | None:
    """The first column of indices that surely runs beyond its dimension; None where none is known to.

    Of several columns each is followed by itself. A negative constant counts from the end in torch, and is not judged.
    """
    if instruction.opcode not in _DIMENSIONS or len(instruction.operand_ids) < 2:
        return None
    name, field = _DIMENSIONS[instruction.opcode]
    dimensions = getattr(getattr(instruction, name), field)
    operand, indices = (where.by_id.get(number) for number in instruction.operand_ids[:2])
    if operand is None or indices is None:
        return None
    for dimension, column in zip(dimensions, _columns(indices, len(dimensions), where), strict=False):
        found = _end(column, where)
        size = operand.shape.dimensions[dimension] if dimension < len(operand.shape.dimensions) else 0
        if found is not None and 0 < size < found[1]:
            return Reach(*found, size)
    return None


def _columns(indices: Proto, count: int, where: Where) -> list[Proto | None]:
    if count == 1 and not (indices.opcode == "concatenate" and len(indices.operand_ids) == 1):
        return [indices]
    if indices.opcode == "concatenate" and len(indices.operand_ids) == count:
        return [where.by_id.get(number) for number in indices.operand_ids]
    return []


def _end(found: Proto | None, where: Where) -> tuple[str, int] | None:
    """One above the largest value, and what gives it."""
    for _ in range(_STEPS):
        if found is None:
            return None
        if found.opcode == "iota":
            at = found.dimensions[0] if found.dimensions else 0
            return "iota", int(found.shape.dimensions[at])
        if found.opcode == "constant":
            return _largest(found)
        found = _before(found, where)
    return None


def _before(found: Proto, where: Where) -> Proto | None:
    """The operand whose values come through."""
    operands = [where.by_id.get(number) for number in found.operand_ids]
    if found.opcode in _PASSED and operands:
        return operands[0]
    if found.opcode == "call" and found.called_computation_ids:
        return where.by_id.get(where.roots.get(found.called_computation_ids[0], 0))
    if found.opcode == "select" and len(operands) == 3:
        # torch's negative indices: select(x < 0, x + size, x)
        test, _, kept = operands
        negative = test is not None and test.opcode == "compare" and test.comparison_direction == "LT"
        tested = where.by_id.get(test.operand_ids[0]) if test is not None and negative else None
        return kept if tested is not None and _source(tested, where) is _source(kept, where) else None
    return None


def _source(found: Proto | None, where: Where) -> Proto | None:
    for _ in range(_STEPS):
        if found is None or found.opcode not in _PASSED or not found.operand_ids:
            return found
        found = where.by_id.get(found.operand_ids[0])
    return None


def _largest(constant: Proto) -> tuple[str, int] | None:
    listed = values(constant.literal) or ()
    if not listed or not all(isinstance(one, int) and one >= 0 for one in listed):
        return None
    return "constant", max(listed) + 1
