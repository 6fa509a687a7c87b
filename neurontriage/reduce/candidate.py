"""An HLO module and what to keep of it → a smaller module that stands alone.

What is kept is a set of instructions of the entry computation; operands outside it become parameters, values that
nothing in it uses become outputs. Aliasing stays where both of its ends stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


@dataclass(frozen=True)
class Original:
    """The module to shrink, with what every candidate asks of it."""

    module: Module

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Members in the module's own, topological order, without the tuple at the end: each candidate has its own."""
        entry = self.module.entry
        return tuple(i.id for i in entry.instructions if i.opcode != "parameter" and not self._end(i))

    def _end(self, i: Proto) -> bool:
        return bool(i.id == self.module.entry.root_id and i.opcode == "tuple")

    @cached_property
    def operands(self) -> dict[int, tuple[int, ...]]:
        """Members → what they read."""
        return {number: tuple(self.module.by_id[number].operand_ids) for number in self.order}

    @cached_property
    def names(self) -> dict[int, str]:
        """Members → their names."""
        return {number: self.module.by_id[number].name for number in self.order}

    @cached_property
    def controlled(self) -> frozenset[int]:
        """Members that must run after others."""
        return frozenset(n for n in self.order if self.module.by_id[n].control_predecessor_ids)

    @cached_property
    def calls(self) -> dict[int, list[int]]:
        """Members that call computations → those, by id."""
        found = ((number, self.module.called(self.module.by_id[number])) for number in self.order)
        return {number: [c.id for c in called] for number, called in found if called}

    @cached_property
    def pieces(self) -> dict[int, bytes]:
        """Members → themselves, serialised as a field of the computation."""
        by_id = self.module.by_id
        return {n: _field(_INSTRUCTIONS, by_id[n].SerializeToString(deterministic=True)) for n in self.order}

    @cached_property
    def bodies(self) -> dict[int, bytes]:
        """Computations by id, serialised as a field of the module."""
        found = self.module.proto.computations
        return {c.id: _field(_COMPUTATIONS, c.SerializeToString(deterministic=True)) for c in found}

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
        for number, whole in self.elements.items():
            if whole not in chosen:
                chosen.discard(number)
        return frozenset(chosen)

    @cached_property
    def elements(self) -> dict[int, int]:
        """Members that are an element of a tuple → the tuple, in order."""
        return {n: self.operands[n][0] for n in self.order if self.opcode[n] == "get-tuple-element"}

    @cached_property
    def opcode(self) -> dict[int, str]:
        """Members → their opcodes."""
        return {number: self.module.by_id[number].opcode for number in self.order}

    def opcodes(self, kept: Kept) -> dict[str, frozenset[int]]:
        """Members by opcode, the most frequent opcode first."""
        found: dict[str, set[int]] = {}
        for number, opcode in self.opcode.items():
            if number in kept:
                found.setdefault(opcode, set()).add(number)
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
    pieces: list[bytes] = field(default_factory=list)
    """The instructions, serialised."""
    parameters: dict[int, int] = field(default_factory=dict)
    """Id in the original of each value that is a parameter here → its number."""
    made: list[Proto] = field(default_factory=list)
    """The parameters, and the tuple at the end."""
    used: set[int] = field(default_factory=set)
    names: set[str] = field(default_factory=set)


def build(original: Original, kept: Kept) -> Module:
    """The module of a set of kept instructions. Everything keeps its id; a parameter has that of what it replaces."""
    return Module(messages()["HloModuleProto"].FromString(assembled(original, kept)))


def assembled(original: Original, kept: Kept) -> bytes:
    """The same as bytes, put together from what was serialised once: thousands of instructions in milliseconds."""
    work, source = _Build(original, kept), original.module
    entry = _entry(work)
    module = messages()["HloModuleProto"](
        name=source.name,
        entry_computation_name=source.entry.name,
        entry_computation_id=source.entry.id,
        host_program_shape=entry.program_shape,
        frontend_attributes=source.proto.frontend_attributes,
        stack_frame_index=source.proto.stack_frame_index,
    )
    _aliased(work, module)
    bodies = [original.bodies[number] for number in _reached(original, kept)]
    whole = entry.SerializeToString(deterministic=True) + b"".join(work.pieces)
    return b"".join([*bodies, _field(_COMPUTATIONS, whole), module.SerializeToString(deterministic=True)])


_COMPUTATIONS, _INSTRUCTIONS = 3, 2
"""Field numbers of HloModuleProto and HloComputationProto."""


def _field(number: int, data: bytes) -> bytes:
    """One length-delimited field as protocol buffers write it."""
    size, length = len(data), bytearray()
    while size > 0x7F:
        length.append(size & 0x7F | 0x80)
        size >>= 7
    return bytes([number << 3 | 2, *length, size]) + data


def _reached(original: Original, kept: Kept) -> list[int]:
    """Computations that kept instructions call, directly or not, those that are called first."""
    module = original.module
    waiting = [c for number in kept.intersection(original.calls) for c in original.calls[number]]
    seen: set[int] = set()
    while waiting:
        number = waiting.pop()
        if number not in seen:
            seen.add(number)
            waiting += [c.id for i in module.computations[number].instructions for c in module.called(i)]
    return [c.id for c in module.proto.computations if c.id in seen]


def _entry(work: _Build) -> Proto:
    """The entry without what is in `pieces`: its name, ids and shape."""
    original, source = work.original, work.original.module
    work.names = {original.names[n] for n in work.kept}
    for member in original.order:
        if member in work.kept:
            for operand in original.operands[member]:
                if operand not in work.kept and operand not in work.parameters:
                    _parameter(work, operand)
            work.used.update(original.operands[member])
            controlled = member in original.controlled
            work.pieces.append(_uncontrolled(work, member) if controlled else original.pieces[member])
    _root(work)
    made = messages()["HloComputationProto"]
    shape = made(instructions=work.made, root_id=original.following)
    program_shape(shape)
    return made(
        name=source.entry.name, id=source.entry.id, root_id=original.following, program_shape=shape.program_shape
    )


def _uncontrolled(work: _Build, member: int) -> bytes:
    """A member without predecessors that are not there."""
    i = work.original.module.by_id[member]
    copy = type(i)()
    copy.CopyFrom(i)
    _mapped(copy.control_predecessor_ids, {number: number for number in work.kept})
    return _field(_INSTRUCTIONS, copy.SerializeToString(deterministic=True))


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
    _add(work, made)


def _add(work: _Build, made: Proto) -> None:
    work.made.append(made)
    work.pieces.append(_field(_INSTRUCTIONS, made.SerializeToString(deterministic=True)))


def _root(work: _Build) -> None:
    """The tuple of what is not used inside, and of what shares memory with a parameter that is still there."""
    by_id = work.original.module.by_id
    shape = messages()["ShapeProto"](element_type=dtypes.TUPLE)
    shape.tuple_shapes.extend(by_id[number].shape for number in _given(work))
    made = messages()["HloInstructionProto"]
    _add(
        work,
        made(name="result.0", opcode="tuple", id=work.original.following, shape=shape, operand_ids=_given(work)),
    )


def _given(work: _Build) -> list[int]:
    aliases = work.original.aliases
    return [n for n in work.original.order if n in work.kept and (n not in work.used or n in aliases)]


def _aliased(work: _Build, module: Proto) -> None:
    for place, number in enumerate(_given(work)):
        for parameter, kind in work.original.aliases.get(number, ()):
            if parameter in work.parameters:
                module.input_output_alias.entries.add(
                    output_shape_index=[place], parameter_number=work.parameters[parameter], kind=kind
                )


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
