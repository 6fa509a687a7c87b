"""Smaller variants of a module: bypassed operators, dropped attributes, bodies, smaller shapes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from neurontriage.hlo import dtypes
from neurontriage.hlo.module import Module
from neurontriage.hlo.schema import messages
from neurontriage.reduce.candidate import inside

Proto = Any
Variant = tuple[str, Module]
"""What was done, and the module."""

_OF_MODULE = ("input_output_alias", "buffer_donor", "frontend_attributes")
_BODIES = frozenset({"while", "call", "conditional", "fusion"})
_DROPPED = ("sharding", "frontend_attributes", "control_predecessor_ids", "replica_groups", "source_target_pairs")
_DROPPED_WITH_MEANING = ("backend_config", "precision_config", "metadata", "channel_id")


def _copy(module: Module) -> Proto:
    proto = messages()["HloModuleProto"]()
    proto.CopyFrom(module.proto)
    return proto


def bypasses(module: Module) -> Iterator[Variant]:
    """Without one operator whose result has the shape of one of its operands, which then takes its place."""
    for i in module.entry.instructions:
        for operand in module.operands(i):
            if i.opcode != "tuple" and operand.shape == i.shape:
                yield f"bypass {i.name}", _without(module, i.id, operand.id)
                break


def _without(module: Module, gone: int, instead: int) -> Module:
    proto = _copy(module)
    entry = Module(proto).entry
    kept = [i for i in entry.instructions if i.id != gone]
    for i in kept:
        operands = [instead if n == gone else n for n in i.operand_ids]
        del i.operand_ids[:]
        i.operand_ids.extend(operands)
        before = [n for n in i.control_predecessor_ids if n != gone]
        del i.control_predecessor_ids[:]
        i.control_predecessor_ids.extend(before)
    copies = [type(i).FromString(i.SerializeToString()) for i in kept]
    del entry.instructions[:]
    entry.instructions.extend(copies)
    if entry.root_id == gone:
        entry.root_id = instead
    return Module(proto)


def attributes(module: Module) -> Iterator[Variant]:
    """Without aliasing, donors, shardings and other attributes: first all of a kind, then one by one."""
    yield from _everything(module)
    for name in _OF_MODULE:
        if module.proto.HasField(name):
            proto = _copy(module)
            proto.ClearField(name)
            yield f"drop {name}", Module(proto)
    yield from _single_aliases(module)
    for name in (*_DROPPED, *_DROPPED_WITH_MEANING):
        having = [n for n, i in enumerate(module.entry.instructions) if _set(i, name)]
        if len(having) > 1:
            yield f"drop every {name}", _cleared(module, name, having)
        for one in having if name != "metadata" else ():
            yield f"drop {name} of {module.entry.instructions[one].name}", _cleared(module, name, [one])


def _everything(module: Module) -> Iterator[Variant]:
    """Mostly no attribute matters: one call then says so."""
    proto = _copy(module)
    for name in _OF_MODULE:
        proto.ClearField(name)
    for i in Module(proto).entry.instructions:
        for name in (*_DROPPED, *_DROPPED_WITH_MEANING):
            i.ClearField(name)
    if proto != module.proto:
        yield "drop every attribute", Module(proto)


def _single_aliases(module: Module) -> Iterator[Variant]:
    entries = module.proto.input_output_alias.entries
    for number in range(len(entries)) if len(entries) > 1 else ():
        proto = _copy(module)
        del proto.input_output_alias.entries[number]
        yield f"drop alias {number}", Module(proto)


def _set(i: Proto, name: str) -> bool:
    field = i.DESCRIPTOR.fields_by_name[name]
    return i.HasField(name) if field.message_type and not field.is_repeated else bool(getattr(i, name))


def _cleared(module: Module, name: str, places: list[int]) -> Module:
    proto = _copy(module)
    entry = Module(proto).entry
    for place in places:
        entry.instructions[place].ClearField(name)
    return Module(proto)


def bodies(module: Module) -> Iterator[Variant]:
    """Each body of a loop, call or branch as a module of its own."""
    for i in module.entry.instructions:
        if i.opcode in _BODIES:
            for computation in module.called(i):
                yield f"take the body {computation.name}", inside(module, computation)


def constants(module: Module) -> Iterator[Variant]:
    """A large constant as a parameter of its own: its values leave the module."""
    from neurontriage.reduce.candidate import Original, build

    original = Original(module)
    for i in module.entry.instructions:
        if i.opcode == "constant" and len(i.shape.dimensions):
            kept = frozenset(original.order) - {i.id}
            yield f"constant {i.name} becomes a parameter", build(original, kept)


def smaller_shapes(module: Module) -> Iterator[Variant]:
    """One size made smaller everywhere, with its multiples; the largest first. Many are illegal: verify them."""
    sizes = Counter(size for i in module.instructions for size in _dims(i.shape))
    for size in sorted((s for s in sizes if s > 1), reverse=True):
        for smaller in (1, 2, 4, 16):
            if smaller < size:
                yield f"size {size} becomes {smaller}", resized(module, size, smaller)


def _dims(shape: Proto) -> Iterator[int]:
    yield from shape.dimensions
    for member in shape.tuple_shapes:
        yield from _dims(member)


def resized(module: Module, size: int, smaller: int) -> Module:
    """Every size that is a multiple of `size` divided by it and multiplied by `smaller`, in shapes and in slices."""

    def new(value: int) -> int:
        return value // size * smaller if value and value % size == 0 else value

    proto = _copy(module)
    for computation in proto.computations:
        for i in computation.instructions:
            _resize_shape(i.shape, new)
            _resize_attributes(i, new)
            if i.opcode == "constant":
                _resize_literal(i)
        _resize_program(computation.program_shape, new)
    _resize_program(proto.host_program_shape, new)
    return Module(proto)


def _resize_program(shape: Proto, new: Callable[[int], int]) -> None:
    for parameter in shape.parameters:
        _resize_shape(parameter, new)
    _resize_shape(shape.result, new)


def _resize_shape(shape: Proto, new: Callable[[int], int]) -> None:
    for number, value in enumerate(shape.dimensions):
        shape.dimensions[number] = new(value)
    for member in shape.tuple_shapes:
        _resize_shape(member, new)


def _resize_attributes(i: Proto, new: Callable[[int], int]) -> None:
    for name in ("dynamic_slice_sizes", "gather_slice_sizes"):
        values = getattr(i, name)
        for number, value in enumerate(values):
            values[number] = new(value)
    for one in i.slice_dimensions:
        one.start, one.limit = new(one.start), new(one.limit)
    if i.opcode == "reduce-window":
        for dimension in i.window.dimensions:
            dimension.size = new(dimension.size)
            dimension.padding_low = max(0, dimension.size - 1) if dimension.padding_low else 0


_LISTED: Mapping[str, str] = {
    "f32": "f32s",
    "s32": "s32s",
    "s64": "s64s",
    "pred": "preds",
    "u32": "u32s",
    "f64": "f64s",
}


def _resize_literal(i: Proto) -> None:
    """A constant keeps as many of its values as its new shape has elements."""
    before = list(i.literal.shape.dimensions)
    if before == list(i.shape.dimensions):
        return
    i.literal.shape.CopyFrom(i.shape)
    count = 1
    for value in i.shape.dimensions:
        count *= value
    name = _LISTED.get(dtypes.NAMES.get(i.shape.element_type, ""))
    if name:
        values = getattr(i.literal, name)
        del values[count:]
