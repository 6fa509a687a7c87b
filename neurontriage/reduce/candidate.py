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


@dataclass
class _Build:
    original: Original
    kept: Kept
    proto: Proto = field(default_factory=lambda: messages()["HloModuleProto"]())
    made: dict[int, int] = field(default_factory=dict)
    """Id in the original → id here."""
    parameters: list[int] = field(default_factory=list)
    """Original ids of the values that are parameters here, by number."""
    names: set[str] = field(default_factory=set)


def build(original: Original, kept: Kept) -> Module:
    """The module of a set of kept instructions. Ids are numbered anew, so that they fit the 32 bits of neuronx-cc."""
    work = _Build(original, kept)
    proto, source = work.proto, original.module
    proto.name = source.name
    computations = list(_reached(source, kept))
    numbers = {c.id: n for n, c in enumerate(computations, 1)}
    following = len(computations) + 2
    for computation in computations:
        following = _copied(proto.computations.add(), computation, numbers, following)
    _entry(work, len(computations) + 1, numbers, following)
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


def _copied(target: Proto, source: Proto, numbers: Mapping[int, int], following: int) -> int:
    target.CopyFrom(source)
    target.id = numbers[source.id]
    ids = {i.id: following + n for n, i in enumerate(source.instructions)}
    for i in target.instructions:
        _renumbered(i, ids, numbers)
    target.root_id = ids[source.root_id]
    return following + len(ids)


def _renumbered(i: Proto, ids: Mapping[int, int], computations: Mapping[int, int]) -> None:
    i.id = ids[i.id]
    operands = [ids[n] for n in i.operand_ids]
    before = [ids[n] for n in i.control_predecessor_ids if n in ids]
    called = [computations[n] for n in i.called_computation_ids]
    for target, values in (
        (i.operand_ids, operands),
        (i.control_predecessor_ids, before),
        (i.called_computation_ids, called),
    ):
        del target[:]
        target.extend(values)


def _entry(work: _Build, number: int, computations: Mapping[int, int], following: int) -> None:
    source, kept = work.original.module, work.kept
    made = work.proto.computations.add(name=source.entry.name, id=number)
    work.names = {source.by_id[n].name for n in kept}
    for member in work.original.order:
        if member not in kept:
            continue
        i = source.by_id[member]
        for operand in i.operand_ids:
            if operand not in work.made:
                following = _parameter(work, made, operand, following)
        work.made[member] = following
        copy = made.instructions.add()
        copy.CopyFrom(i)
        _renumbered(copy, work.made | {member: following}, computations)
        following += 1
    made.root_id = _root(work, made, following)
    program_shape(made)
    work.proto.entry_computation_id, work.proto.entry_computation_name = made.id, made.name
    work.proto.host_program_shape.CopyFrom(made.program_shape)


def _parameter(work: _Build, made: Proto, operand: int, following: int) -> int:
    source = work.original.module.by_id[operand]
    name = (
        source.name if source.opcode == "parameter" and source.name not in work.names else f"in.{len(work.parameters)}"
    )
    while name in work.names:
        name += ".p"
    work.names.add(name)
    made.instructions.add(
        name=name, opcode="parameter", id=following, shape=source.shape, parameter_number=len(work.parameters)
    )
    if source.opcode == "parameter" and source.HasField("sharding"):
        made.instructions[-1].sharding.CopyFrom(source.sharding)
    if source.opcode == "parameter" and source.HasField("frontend_attributes"):
        made.instructions[-1].frontend_attributes.CopyFrom(source.frontend_attributes)
    work.made[operand] = following
    work.parameters.append(operand)
    return following + 1


def _root(work: _Build, made: Proto, following: int) -> int:
    """The tuple of what is not used inside, and of what shares memory with a parameter that is still there."""
    used = {operand for i in made.instructions for operand in i.operand_ids}
    aliased = [n for n in work.original.aliases if n in work.kept]
    kept = [n for n in work.original.order if n in work.kept]
    given = [n for n in kept if work.made[n] not in used or n in aliased]
    shape = messages()["ShapeProto"](element_type=dtypes.TUPLE)
    for number in given:
        shape.tuple_shapes.add().CopyFrom(work.original.module.by_id[number].shape)
    ids = [work.made[number] for number in given]
    made.instructions.add(name="result.0", opcode="tuple", id=following, shape=shape, operand_ids=ids)
    for place, number in enumerate(given):
        for parameter, kind in work.original.aliases.get(number, ()):
            if parameter in work.parameters:
                position = work.parameters.index(parameter)
                work.proto.input_output_alias.entries.add(
                    output_shape_index=[place], parameter_number=position, kind=kind
                )
    return following


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
