"""An HLO module and what to keep of it → a smaller module that stands alone.

What is kept is a set of instructions of the entry computation; operands outside it become parameters, values that
nothing in it uses become outputs. Aliasing stays where both of its ends stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from neurontriage.hlo import dtypes
from neurontriage.hlo.assemble import program_shape
from neurontriage.hlo.module import Module
from neurontriage.hlo.schema import messages

Proto = Any
Kept = frozenset[int]
"""Ids of instructions of the entry computation."""

_NO_MEMBERS = frozenset({"parameter"})


@dataclass(frozen=True)
class Original:
    """The module to shrink, with what every candidate asks of it."""

    module: Module

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Members in the module's own, topological order, without the tuple at the end: each candidate has its own."""
        entry = self.module.entry
        return tuple(i.id for i in entry.instructions if i.opcode not in _NO_MEMBERS and not self._end(i))

    def _end(self, i: Proto) -> bool:
        return bool(i.id == self.module.entry.root_id and i.opcode == "tuple")

    @cached_property
    def following(self) -> int:
        """An id that nothing has."""
        return max(self.module.by_id, default=0) + 1

    @cached_property
    def outputs(self) -> tuple[int, ...]:
        """What the module gives back, in order."""
        root = self.module.by_id[self.module.entry.root_id]
        return tuple(root.operand_ids) if root.opcode == "tuple" else (root.id,)

    @cached_property
    def aliases(self) -> Mapping[int, list[tuple[int, Any]]]:
        """Id of an output → (id of the parameter it shares memory with, kind)."""
        parameters = {int(p.parameter_number): p.id for p in self.module.parameters}
        found: dict[int, list[tuple[int, Any]]] = {}
        for entry in self.module.proto.input_output_alias.entries:
            index = entry.output_shape_index[0] if entry.output_shape_index else 0
            if index < len(self.outputs) and entry.parameter_number in parameters:
                found.setdefault(self.outputs[index], []).append((parameters[entry.parameter_number], entry.kind))
        return found

    def closed(self, kept: Iterable[int]) -> Kept:
        """Without elements of tuples that are not kept: a parameter takes the place of each."""
        chosen = set(kept)
        for number in self.order:
            i = self.module.by_id[number]
            if number in chosen and i.opcode == "get-tuple-element" and i.operand_ids[0] not in chosen:
                chosen.discard(number)
        return frozenset(chosen)

    def opcodes(self, kept: Kept) -> dict[str, frozenset[int]]:
        """Members by opcode, the most frequent opcode first."""
        found: dict[str, set[int]] = {}
        for number in self.order:
            if number in kept:
                found.setdefault(self.module.by_id[number].opcode, set()).add(number)
        return {key: frozenset(found[key]) for key in sorted(found, key=lambda k: (-len(found[k]), k))}


def fitting(module: Module) -> Module:
    """The module with ids that fit the 32 bits of neuronx-cc; itself where they do (those of JAX have 64)."""
    if max(module.by_id, default=0) < _FIRST_TOO_LARGE:
        return module
    proto = messages()["HloModuleProto"]()
    proto.CopyFrom(module.proto)
    computations = {c.id: n for n, c in enumerate(proto.computations, 1)}
    ids = {number: n for n, number in enumerate(module.by_id, len(computations) + 1)}
    for computation in proto.computations:
        computation.id, computation.root_id = computations[computation.id], ids[computation.root_id]
        for i in computation.instructions:
            i.id = ids[i.id]
            _mapped(i.operand_ids, ids)
            _mapped(i.control_predecessor_ids, ids)
            _mapped(i.called_computation_ids, computations)
    proto.entry_computation_id = computations[module.entry.id]
    return Module(proto)


_FIRST_TOO_LARGE = 2**31 - 2
"""Leaves room for the tuple that a candidate adds."""


def _mapped(field: Any, ids: Mapping[int, int]) -> None:
    values = [ids[number] for number in field if number in ids]
    del field[:]
    field.extend(values)


@dataclass
class _Build:
    original: Original
    kept: Kept
    proto: Proto = field(default_factory=lambda: messages()["HloModuleProto"]())
    instructions: list[Proto] = field(default_factory=list)
    parameters: dict[int, int] = field(default_factory=dict)
    """Id in the original of each value that is a parameter here → its number."""
    names: set[str] = field(default_factory=set)


def build(original: Original, kept: Kept) -> Module:
    """The module of a set of kept instructions. Everything keeps its id; a parameter has that of what it replaces."""
    work = _Build(original, kept)
    proto, source = work.proto, original.module
    proto.name = source.name
    proto.computations.extend(_reached(source, kept))
    _entry(work)
    proto.frontend_attributes.CopyFrom(source.proto.frontend_attributes)
    proto.stack_frame_index.CopyFrom(source.proto.stack_frame_index)
    return Module(proto)


def _reached(module: Module, kept: Kept) -> Iterator[Proto]:
    """Computations that kept instructions call, directly or not, those that are called first."""
    waiting = [c.id for number in kept for c in module.called(module.by_id[number])]
    seen: set[int] = set()
    while waiting:
        number = waiting.pop()
        if number not in seen:
            seen.add(number)
            waiting += [c.id for i in module.computations[number].instructions for c in module.called(i)]
    return (c for c in module.proto.computations if c.id in seen)


def _entry(work: _Build) -> None:
    source, kept = work.original.module, work.kept
    made = work.proto.computations.add(name=source.entry.name, id=source.entry.id)
    work.names = {source.by_id[n].name for n in kept}
    for member in work.original.order:
        if member in kept:
            i = source.by_id[member]
            for operand in i.operand_ids:
                if operand not in kept and operand not in work.parameters:
                    _parameter(work, operand)
            work.instructions.append(_uncontrolled(work, i))
    work.instructions.append(_root(work))
    made.instructions.extend(work.instructions)
    made.root_id = work.original.following
    program_shape(made)
    work.proto.entry_computation_id, work.proto.entry_computation_name = made.id, made.name
    work.proto.host_program_shape.CopyFrom(made.program_shape)


def _uncontrolled(work: _Build, i: Proto) -> Proto:
    """Without predecessors that are not there."""
    if all(number in work.kept for number in i.control_predecessor_ids):
        return i
    copy = type(i)()
    copy.CopyFrom(i)
    _mapped(copy.control_predecessor_ids, {number: number for number in work.kept})
    return copy


def _parameter(work: _Build, operand: int) -> None:
    source, number = work.original.module.by_id[operand], len(work.parameters)
    own = source.opcode == "parameter"
    name = source.name if own and source.name not in work.names else f"in.{number}"
    while name in work.names:
        name += ".p"
    work.names.add(name)
    made = type(source)(name=name, opcode="parameter", id=operand, shape=source.shape, parameter_number=number)
    if own and source.HasField("sharding"):
        made.sharding.CopyFrom(source.sharding)
    if own and source.HasField("frontend_attributes"):
        made.frontend_attributes.CopyFrom(source.frontend_attributes)
    work.parameters[operand] = number
    work.instructions.append(made)


def _root(work: _Build) -> Proto:
    """The tuple of what is not used inside, and of what shares memory with a parameter that is still there."""
    original, by_id = work.original, work.original.module.by_id
    used = {operand for i in work.instructions for operand in i.operand_ids}
    given = [n for n in original.order if n in work.kept and (n not in used or n in original.aliases)]
    shape = messages()["ShapeProto"](element_type=dtypes.TUPLE)
    shape.tuple_shapes.extend(by_id[number].shape for number in given)
    for place, number in enumerate(given):
        for parameter, kind in original.aliases.get(number, ()):
            if parameter in work.parameters:
                work.proto.input_output_alias.entries.add(
                    output_shape_index=[place], parameter_number=work.parameters[parameter], kind=kind
                )
    made = messages()["HloInstructionProto"]
    return made(name="result.0", opcode="tuple", id=original.following, shape=shape, operand_ids=given)


def inside(module: Module, computation: Proto) -> Module:
    """The body of a loop or call as a module of its own."""
    proto = messages()["HloModuleProto"]()
    proto.CopyFrom(module.proto)
    proto.ClearField("input_output_alias")
    proto.ClearField("buffer_donor")
    proto.entry_computation_id, proto.entry_computation_name = computation.id, computation.name
    found = Module(proto)
    proto.host_program_shape.CopyFrom(found.entry.program_shape)
    return found
