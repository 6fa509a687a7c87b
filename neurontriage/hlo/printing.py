"""A module or an instruction → text as XLA prints it, which `text` reads again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neurontriage.hlo import shapes
from neurontriage.hlo.attributes import printed
from neurontriage.hlo.literals import text as literal_text
from neurontriage.hlo.module import Module
from neurontriage.hlo.notations import quoted

Proto = Any

_KINDS = {1: ", may-alias", 2: ", must-alias"}


def module_text(module: Module) -> str:
    """The whole module, computations that are called before those that call them, as the proto has them."""
    entry = module.entry.id
    parts = [f"HloModule {module.name}{''.join(_header(module.proto))}"]
    for computation in module.proto.computations:
        lines = "".join(f"  {_line(module, computation, i)}\n" for i in computation.instructions)
        parts.append(f"{'ENTRY ' * (computation.id == entry)}%{computation.name} {{\n{lines}}}")
    return "\n\n".join(parts) + "\n"


def _header(proto: Proto) -> Iterator[str]:
    entries = [_alias(entry) for entry in proto.input_output_alias.entries]
    if entries:
        yield f", input_output_alias={{ {', '.join(entries)} }}"
    donors = [f"({d.parameter_number}, {_index(d.parameter_shape_index)})" for d in proto.buffer_donor.entries]
    if donors:
        yield f", buffer_donor={{ {', '.join(donors)} }}"
    attributes = [f"{entry.key}={quoted(entry.value)}" for entry in proto.frontend_attributes.map]
    if attributes:
        yield f", frontend_attributes={{{','.join(attributes)}}}"


def _alias(entry: Proto) -> str:
    where = f"({entry.parameter_number}, {_index(entry.parameter_shape_index)}{_KINDS.get(entry.kind, '')})"
    return f"{_index(entry.output_shape_index)}: {where}"


def _index(numbers: Any) -> str:
    return "{" + ",".join(map(str, numbers)) + "}"


def _line(module: Module, computation: Proto, i: Proto) -> str:
    operands = ", ".join(f"{shapes.text(operand.shape)} %{operand.name}" for operand in module.operands(i))
    root = "ROOT " if i.id == computation.root_id else ""
    attributes = _attributes(module, i) + _metadata(i.metadata)
    return f"{root}%{i.name} = {shapes.text(i.shape)} {i.opcode}({operands or _own(i, None)}){attributes}"


def bare(module: Module, i: Proto) -> str:
    """One instruction without names and metadata, as the analyze report lists it."""
    operands = ", ".join(shapes.text(operand.shape) for operand in module.operands(i))
    return f"{shapes.text(i.shape)} {i.opcode}({operands or _own(i, 10)}){_attributes(module, i)}"


def _own(i: Proto, longest: int | None) -> str:
    if i.opcode == "constant":
        return literal_text(i.literal, longest)
    return str(i.parameter_number) if i.opcode == "parameter" else ""


def _attributes(module: Module, i: Proto) -> str:
    found = "".join(f", {key}={value}" for key, value in printed(i, module.names))
    before = [f"%{module.by_id[n].name}" for n in i.control_predecessor_ids if n in module.by_id]
    return found + (f", control-predecessors={{{', '.join(before)}}}" if before else "")


def _metadata(metadata: Proto) -> str:
    parts = [
        f"{key}={quoted(value)}" for key in ("op_type", "op_name", "source_file") if (value := getattr(metadata, key))
    ]
    if metadata.source_line:
        parts.append(f"source_line={metadata.source_line}")
    if metadata.stack_frame_id:
        parts.append(f"stack_frame_id={metadata.stack_frame_id}")
    return f", metadata={{{' '.join(parts)}}}" if parts else ""
