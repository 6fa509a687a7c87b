"""A module text → the same Module as from a proto, and what could not be carried over."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from neurontriage.hlo import attributes, literals, shapes
from neurontriage.hlo.module import Module
from neurontriage.hlo.notations import numbers, unquoted
from neurontriage.hlo.schema import messages
from neurontriage.hlo.text import Computation, ModuleText, Printed, bare, parse_module

Proto = Any

_METADATA = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|[^\s{}]+)')
_ALIAS = re.compile(
    r"\{(?P<out>[\d,\s]*)\}:\s*\((?P<number>\d+),\s*\{(?P<index>[\d,\s]*)\}(?:,\s*(?P<kind>\w+)-alias)?\)"
)
_DONOR = re.compile(r"\((?P<number>\d+),\s*\{(?P<index>[\d,\s]*)\}\)")


@dataclass
class _Names:
    """Ids by name: computations of the module, instructions of the computation at hand; what was lost, counted."""

    computations: dict[str, int]
    lost: Counter[str] = field(default_factory=Counter)
    instructions: dict[str, int] = field(default_factory=dict)


def from_text(text: str) -> tuple[Module, Counter[str]]:
    """The module, and how often each attribute (or elided constant) was not carried over.

    Raises ValueError, with the line, for text that is not an HLO module.
    """
    parsed = parse_module(text)
    proto = messages()["HloModuleProto"](name=parsed.name)
    names = _Names({c.name: number for number, c in enumerate(parsed.computations, start=1)})
    following = len(parsed.computations) + 1
    for computation in parsed.computations:
        following = _computation(proto, computation, names, following)
    _finish(proto, parsed)
    return Module(proto), names.lost


def _computation(proto: Proto, parsed: Computation, names: _Names, following: int) -> int:
    made = proto.computations.add(name=parsed.name, id=names.computations[parsed.name])
    names.instructions = {p.instruction.name: following + n for n, p in enumerate(parsed.instructions)}
    for printed in parsed.instructions:
        _instruction(made.instructions.add(), printed, names)
    root = next((p.instruction.name for p in parsed.instructions if p.instruction.root), None)
    made.root_id = names.instructions[root or parsed.instructions[-1].instruction.name]
    program_shape(made)
    if parsed.entry:
        proto.entry_computation_id, proto.entry_computation_name = made.id, made.name
    return following + len(parsed.instructions)


def _instruction(made: Proto, printed: Printed, names: _Names) -> None:
    found = printed.instruction
    made.name, made.opcode, made.id = found.name, found.opcode, names.instructions[found.name]
    shapes.into(made.shape, printed.shape)
    if found.opcode == "parameter":
        made.parameter_number = int(found.inputs[0])
    elif found.opcode == "constant":
        made.literal.shape.CopyFrom(made.shape)
        if not literals.into(made.literal, found.values[0] if found.values else ""):
            names.lost["constant {...}"] += 1
    else:
        made.operand_ids.extend(_operand(name, found.opcode, names) for name in found.inputs)
    order = attributes.CALLED.get(found.opcode, ())
    keys = sorted(found.attributes, key=lambda key: order.index(key) if key in order else -1)
    for key in keys:
        _attribute(made, key, found.attributes[key], names)


def _operand(name: str, opcode: str, names: _Names) -> int:
    if name not in names.instructions:
        raise ValueError(f"{opcode}: the operand {name} is not an instruction of its computation")
    return names.instructions[name]


def _attribute(made: Proto, key: str, text: str, names: _Names) -> None:
    if key == "metadata":
        _metadata(made.metadata, text)
    elif key == "control-predecessors":
        made.control_predecessor_ids.extend(
            names.instructions[name]
            for name in map(bare, re.findall(r"%?[\w.$-]+", text))
            if name in names.instructions
        )
    elif not attributes.read(made, key, text, names.computations) and key not in attributes.IGNORED:
        names.lost[key] += 1


def _metadata(metadata: Proto, text: str) -> None:
    for key, value in _METADATA.findall(text):
        if key in ("op_type", "op_name", "source_file", "deduplicated_name"):
            setattr(metadata, key, unquoted(value))
        elif key in ("source_line", "source_end_line", "source_column", "stack_frame_id") and value.isdigit():
            setattr(metadata, key, int(value))


def _finish(proto: Proto, parsed: ModuleText) -> None:
    """Entry, aliases and stack frames, once all computations are there."""
    if not proto.entry_computation_id:
        last = proto.computations[-1]
        proto.entry_computation_id, proto.entry_computation_name = last.id, last.name
    entry = next(c for c in proto.computations if c.id == proto.entry_computation_id)
    proto.host_program_shape.CopyFrom(entry.program_shape)
    for found in _ALIAS.finditer(parsed.attributes.get("input_output_alias", "")):
        proto.input_output_alias.entries.add(
            output_shape_index=numbers(found["out"]),
            parameter_number=int(found["number"]),
            parameter_shape_index=numbers(found["index"]),
            kind=2 if found["kind"] == "must" else 1,
        )
    for found in _DONOR.finditer(parsed.attributes.get("buffer_donor", "")):
        proto.buffer_donor.entries.add(
            parameter_number=int(found["number"]), parameter_shape_index=numbers(found["index"])
        )
    _frames(proto.stack_frame_index, parsed)


def _frames(index: Proto, parsed: ModuleText) -> None:
    index.file_names.extend(map(unquoted, parsed.sections.get("FileNames", ())))
    index.function_names.extend(map(unquoted, parsed.sections.get("FunctionNames", ())))
    for section, add in (("FileLocations", index.file_locations.add), ("StackFrames", index.stack_frames.add)):
        for row in parsed.sections.get(section, ()):
            message = add()
            for key, value in _METADATA.findall(row):
                if key in message.DESCRIPTOR.fields_by_name:
                    setattr(message, key, int(value))


def program_shape(computation: Proto) -> None:
    """Recomputes the parameter and result shapes of a computation from its instructions."""
    shape = computation.program_shape
    shape.Clear()
    parameters = [i for i in computation.instructions if i.opcode == "parameter"]
    for parameter in sorted(parameters, key=lambda i: int(i.parameter_number)):
        shape.parameters.add().CopyFrom(parameter.shape)
        shape.parameter_names.append(parameter.name)
    root = next((i for i in computation.instructions if i.id == computation.root_id), None)
    if root is not None:
        shape.result.CopyFrom(root.shape)
