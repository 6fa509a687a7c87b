"""What a frontend found, before anything is judged: graphs, uses of operators, breaks, recompilations, how it ended."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from neurontriage.hlo.instruction import Instruction
from neurontriage.hlo.module import Module


@dataclass(frozen=True, slots=True)
class Use:
    """One use of an operator: its name (`aten.topk`, else the opcode), what was lowered, where, how often."""

    name: str
    instruction: Instruction
    site: str
    text: str
    """The instruction without names, as analyze lists it; empty where the graph is not HLO."""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Graph:
    """One graph that would be compiled; `module` is None where only aten operators are known."""

    id: str
    uses: tuple[Use, ...]
    instructions: int
    inputs: tuple[tuple[str, tuple[int | str, ...]], ...]
    peak_bytes: int
    cause: str = ""
    site: str = ""
    function: str = ""
    module: Module | None = None


@dataclass(frozen=True, slots=True)
class Fallback:
    """An operator that left the device for the CPU."""

    operator: str
    site: str
    backward: bool
    dtypes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recompilation:
    """The same place compiled again: which dimension (0-based) of which input changed, None where it is not known."""

    function: str
    dimension: int | None
    shapes: tuple[tuple[int | str, ...], ...]
    site: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Break:
    """Where torch.compile cut the graph, and why."""

    reason: str
    site: str


@dataclass(frozen=True, slots=True)
class Capture:
    """Everything from one target. `ended` says what went wrong with the script; empty when nothing did."""

    frontend: str
    lowering: str
    graphs: tuple[Graph, ...] = ()
    fallbacks: tuple[Fallback, ...] = ()
    breaks: tuple[Break, ...] = ()
    recompilations: tuple[Recompilation, ...] = ()
    unsorted: frozenset[str] = frozenset()
    """Places that sort, or call topk(sorted=False): Neuron lowers both to a sort."""
    inventory: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    ended: str = ""

    def noting(self, *notes: str) -> Capture:
        """The same with more notes."""
        return replace(self, notes=(*self.notes, *notes))
