"""Attributes of an instruction: fields of the proto ↔ the text that XLA prints (`dimensions={0,1}`, `index=2`).

Simple ones stand in a table: printed key → where the value is kept and how it is written. Those with a notation of
their own (windows, slices, shardings) are in `notations`. What neither knows is reported, never dropped silently.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from neurontriage.hlo import notations

Proto = Any


@dataclass(frozen=True, slots=True)
class Simple:
    """One printed key: the field's path in the instruction, its notation, and the opcodes that always print it."""

    key: str
    path: str
    kind: str
    always: frozenset[str] = frozenset()
    only: frozenset[str] = frozenset()


def _row(line: str) -> Simple:
    key, path, kind, *rest = line.split()
    found = dict(part.split(":", 1) for part in rest)
    sets = {name: frozenset(text.split(",")) for name, text in found.items()}
    return Simple(key, path, kind, sets.get("always", frozenset()), sets.get("only", frozenset()))


_TABLE = """
dimensions dimensions ints always:broadcast,reduce,transpose,concatenate,reverse,sort,map,all-gather
iota_dimension dimensions first always:iota only:iota
index tuple_index int always:get-tuple-element
direction comparison_direction word
type comparison_type word
dynamic_slice_sizes dynamic_slice_sizes ints
feature_group_count feature_group_count count
batch_group_count batch_group_count count
lhs_batch_dims dot_dimension_numbers.lhs_batch_dimensions ints
lhs_contracting_dims dot_dimension_numbers.lhs_contracting_dimensions ints
rhs_batch_dims dot_dimension_numbers.rhs_batch_dimensions ints
rhs_contracting_dims dot_dimension_numbers.rhs_contracting_dimensions ints
offset_dims gather_dimension_numbers.offset_dims ints always:gather
collapsed_slice_dims gather_dimension_numbers.collapsed_slice_dims ints always:gather
start_index_map gather_dimension_numbers.start_index_map ints always:gather
operand_batching_dims gather_dimension_numbers.operand_batching_dims ints
start_indices_batching_dims gather_dimension_numbers.start_indices_batching_dims ints
slice_sizes gather_slice_sizes ints always:gather
update_window_dims scatter_dimension_numbers.update_window_dims ints always:scatter
inserted_window_dims scatter_dimension_numbers.inserted_window_dims ints always:scatter
scatter_dims_to_operand_dims scatter_dimension_numbers.scatter_dims_to_operand_dims ints always:scatter
input_batching_dims scatter_dimension_numbers.input_batching_dims ints
scatter_indices_batching_dims scatter_dimension_numbers.scatter_indices_batching_dims ints
indices_are_sorted indices_are_sorted bool
unique_indices unique_indices bool
is_stable is_stable bool
custom_call_target custom_call_target quoted
custom_call_has_side_effect custom_call_has_side_effect bool
channel_id channel_id int
use_global_device_ids use_global_device_ids bool
constrain_layout constrain_layout bool
left_side triangular_solve_options.left_side bool
lower triangular_solve_options.lower bool only:triangular-solve
unit_diagonal triangular_solve_options.unit_diagonal bool
exponent_bits exponent_bits int always:reduce-precision
mantissa_bits mantissa_bits int always:reduce-precision
fft_length fft_length ints
epsilon epsilon float
feature_index feature_index int always:batch-norm-training,batch-norm-inference,batch-norm-grad
k k int
largest largest bool
kind fusion_kind word
delta delta int
is_host_transfer is_host_transfer bool
"""

SIMPLE = {row.key: row for row in map(_row, _TABLE.strip().splitlines())}
_INDEX_VECTOR = {"gather": "gather_dimension_numbers", "scatter": "scatter_dimension_numbers"}
CALLED = {
    "while": ("body", "condition"),
    "select-and-scatter": ("select", "scatter"),
    "fusion": ("calls",),
    "async-start": ("calls",),
}
"""Printed keys of called computations, in the order of the proto; `to_apply` for all other opcodes."""
BRANCHES = ("branch_computations", "called_computations")
IGNORED = frozenset({"metadata", "origin", "statistics", "original_value", "result_accuracy", "frontend_attributes"})
"""Keys that change nothing about what is computed: losing one is no loss of meaning."""


def printed(instruction: Proto, names: dict[int, str]) -> Iterator[tuple[str, str]]:
    """Key and text of every attribute but metadata, in a fixed order; `names` are computations by id."""
    opcode = instruction.opcode
    for key, row in SIMPLE.items():
        text = _written(instruction, row)
        if text is not None and (not row.only or opcode in row.only) and (key, opcode) != ("dimensions", "iota"):
            yield key, text
    if opcode in _INDEX_VECTOR:
        yield "index_vector_dim", str(getattr(instruction, _INDEX_VECTOR[opcode]).index_vector_dim)
    yield from notations.printed(instruction)
    yield from _called(instruction, names)


def _written(instruction: Proto, row: Simple) -> str | None:
    value: Any = instruction
    for step in row.path.split("."):
        value = getattr(value, step)
    always = instruction.opcode in row.always
    if row.kind == "count":
        return str(value) if value > 1 else None
    if not always and not value:
        return None
    return str(_TEXTS[row.kind](value))


_TEXTS: dict[str, Any] = {
    "ints": lambda value: "{" + ",".join(map(str, value)) + "}",
    "first": lambda value: str(value[0]) if value else "0",
    "int": str,
    "float": lambda value: f"{value:g}",
    "word": str,
    "bool": lambda value: "true" if value else "false",
    "quoted": lambda value: notations.quoted(value),
}
_VALUES: dict[str, Any] = {
    "int": int,
    "count": int,
    "float": float,
    "word": str,
    "bool": lambda text: text == "true",
    "quoted": lambda text: notations.unquoted(text),
}


def _called(instruction: Proto, names: dict[int, str]) -> Iterator[tuple[str, str]]:
    called = [f"%{names.get(number, number)}" for number in instruction.called_computation_ids]
    if not called:
        return
    if instruction.opcode in ("conditional", "custom-call"):
        yield BRANCHES[instruction.opcode == "custom-call"], "{" + ", ".join(called) + "}"
        return
    keys = CALLED.get(instruction.opcode, ("to_apply",))
    yield from zip(keys, called, strict=False)


def read(instruction: Proto, key: str, text: str, ids: dict[str, int]) -> bool:
    """Puts a printed attribute into the proto; False where the key or its notation is not known.

    `ids` are computations by name, without the percent sign.
    """
    try:
        return _read(instruction, key, text, ids)
    except (ValueError, KeyError, IndexError):
        return False


def _read(instruction: Proto, key: str, text: str, ids: dict[str, int]) -> bool:
    if key in ("to_apply", "calls", "condition", "body", "select", "scatter", "true_computation", "false_computation"):
        instruction.called_computation_ids.append(ids[text.removeprefix("%")])
    elif key in BRANCHES:
        instruction.called_computation_ids.extend(ids[name] for name in re.findall(r"[\w.$-]+", text))
    elif key == "index_vector_dim":
        getattr(instruction, _INDEX_VECTOR[instruction.opcode]).index_vector_dim = int(text)
    elif key in SIMPLE:
        _put(instruction, SIMPLE[key], text)
    else:
        return notations.read(instruction, key, text)
    return True


def _put(instruction: Proto, row: Simple, text: str) -> None:
    holder: Any = instruction
    *steps, last = row.path.split(".")
    for step in steps:
        holder = getattr(holder, step)
    if row.kind in ("ints", "first"):
        if steps:
            holder.SetInParent()
        getattr(holder, last).extend(notations.numbers(text))
    else:
        setattr(holder, last, _VALUES[row.kind](text))
