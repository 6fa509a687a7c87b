"""A module: the proto with what one needs to walk it. The proto stays the one truth, so unknown fields survive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from neurontriage.hlo import shapes
from neurontriage.hlo.attributes import printed
from neurontriage.hlo.indices import Where, reach
from neurontriage.hlo.instruction import Instruction
from neurontriage.hlo.literals import text as literal_text

Proto = Any
"""HloModuleProto, HloComputationProto or HloInstructionProto."""

UNCOUNTED = frozenset({"parameter", "constant", "tuple", "get-tuple-element"})
"""Opcodes that compute nothing: analyze does not count parameters, constants and tuples."""
SHOWN = 16
"""Elements of a constant that a view prints; more are elided."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One Python frame that led to an instruction; `line` is 1-based."""

    file: str
    line: int
    function: str


@dataclass(frozen=True)
class Module:
    """An HLO module. `proto` may be edited; make a new Module afterwards."""

    proto: Proto

    @property
    def name(self) -> str:
        return str(self.proto.name)

    @cached_property
    def computations(self) -> Mapping[int, Proto]:
        """Computations by id."""
        return {computation.id: computation for computation in self.proto.computations}

    @cached_property
    def names(self) -> dict[int, str]:
        """Names of the computations by id."""
        return {number: computation.name for number, computation in self.computations.items()}

    @cached_property
    def entry(self) -> Proto:
        """The entry computation: by id, else by name, else the last one."""
        found = self.computations.get(self.proto.entry_computation_id)
        if found is None:
            named = [c for c in self.proto.computations if c.name == self.proto.entry_computation_name]
            found = named[0] if named else self.proto.computations[-1]
        return found

    @cached_property
    def by_id(self) -> dict[int, Proto]:
        """All instructions by id, those of every computation."""
        return {i.id: i for computation in self.proto.computations for i in computation.instructions}

    @property
    def instructions(self) -> Iterator[Proto]:
        """Every instruction of every computation."""
        return (i for computation in self.proto.computations for i in computation.instructions)

    @property
    def parameters(self) -> list[Proto]:
        """The inputs, in the order of their numbers."""
        found = [i for i in self.entry.instructions if i.opcode == "parameter"]
        return sorted(found, key=lambda i: int(i.parameter_number))

    def views(self, *opcodes: str) -> list[Instruction]:
        """Views of the instructions with one of these opcodes, in order; all of them where none is given."""
        return [self.view(i) for i in self.instructions if not opcodes or i.opcode in opcodes]

    def has(self, *opcodes: str) -> bool:
        """Whether one of these opcodes is used."""
        return any(i.opcode in opcodes for i in self.instructions)

    @property
    def dtypes(self) -> set[str]:
        """Element types of all results."""
        return {array.dtype for i in self.instructions for array in shapes.arrays(i.shape)}

    @property
    def custom_calls(self) -> list[str]:
        """Targets of the custom calls."""
        return [i.custom_call_target for i in self.instructions if i.opcode == "custom-call"]

    def operands(self, instruction: Proto) -> list[Proto]:
        """The instructions that an instruction reads."""
        return [self.by_id[number] for number in instruction.operand_ids if number in self.by_id]

    def called(self, instruction: Proto) -> list[Proto]:
        """The computations that an instruction calls."""
        return [self.computations[n] for n in instruction.called_computation_ids if n in self.computations]

    def view(self, instruction: Proto) -> Instruction:
        """The flat value that rules ask questions of; long constants are elided."""
        operands = self.operands(instruction)
        values: tuple[str, ...] = ()
        if instruction.opcode == "constant":
            values = (literal_text(instruction.literal, SHOWN),)
        elif instruction.opcode == "parameter":
            values = (str(instruction.parameter_number),)
        return Instruction(
            opcode=instruction.opcode,
            result=shapes.arrays(instruction.shape),
            operands=tuple(array for operand in operands for array in shapes.arrays(operand.shape)),
            values=values,
            attributes=dict(printed(instruction, self.names)) | self._found(instruction),
            name=instruction.name,
            inputs=tuple(operand.name for operand in operands),
        )

    def _found(self, instruction: Proto) -> dict[str, str]:
        """Answers of its own, not printed by XLA.

        `combiner`: what a scatter does with two values of one place; `beyond` and `reach`: where the indices of a
        gather or scatter surely run beyond its operand.
        """
        answers = {}
        called = self.called(instruction) if instruction.opcode == "scatter" else []
        root = self.by_id.get(called[0].root_id) if called else None
        if root is not None:
            answers["combiner"] = str(root.opcode)
        far = reach(instruction, self._where)
        if far is not None:
            answers |= {"beyond": far.source, "reach": f"{far.end} of {far.size}"}
        return answers

    @cached_property
    def _where(self) -> Where:
        return Where(self.by_id, {c.id: c.root_id for c in self.proto.computations})

    def frames(self, instruction: Proto) -> list[Frame]:
        """The Python frames of an instruction, innermost first; empty where the module carries none."""
        index, found = self.proto.stack_frame_index, []
        number = instruction.metadata.stack_frame_id
        seen: set[int] = set()
        while 0 < number <= len(index.stack_frames) and number not in seen:
            seen.add(number)
            frame = index.stack_frames[number - 1]
            where = index.file_locations[frame.file_location_id - 1]
            file, function = index.file_names[where.file_name_id - 1], index.function_names[where.function_name_id - 1]
            found.append(Frame(file, where.line, function))
            number = frame.parent_frame_id
        if not found and instruction.metadata.source_file:
            found.append(Frame(instruction.metadata.source_file, instruction.metadata.source_line, ""))
        return found
