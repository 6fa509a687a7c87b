"""torch-xla with its CPU client: proves lowering, equality and that the trigger is gone; nothing about neuronx-cc."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from neurontriage.repro import environment as installed
from neurontriage.repro import lowering
from neurontriage.repro.backends import Job
from neurontriage.repro.case import Compiler, Function, Stack
from neurontriage.repro.lowering import Lowered

NAME = "xla-cpu"
SHOWS: tuple[Compiler, ...] = ("xla-cpu",)
NUMBERS_FROM, ON_DEVICE = "xla-cpu", False
STACK: Stack = "xla"


def missing() -> str:
    """A missing package or a pair of versions that do not work together."""
    return installed.xla_problem()


def environment(target: str) -> Mapping[str, str]:
    """The CPU client, one thread per operator: two attempts may run side by side."""
    return {"PJRT_DEVICE": "CPU", "OMP_NUM_THREADS": "1"}


def lower(function: Function, inputs: Sequence[Any], leaves: bool = False) -> Lowered:
    """Traces on the CPU client."""
    return lowering.lower(function, inputs)


def compile(lowered: Lowered, job: Job) -> Mapping[str, Any]:
    """Compiles with XLA's CPU compiler, which also runs the graph."""
    lowering.synchronise()
    return {}


def run(lowered: Lowered) -> tuple[Any, ...]:
    """The outputs that the CPU client computed."""
    return lowered.outputs
