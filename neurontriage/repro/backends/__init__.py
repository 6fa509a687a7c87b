"""The compilers that a case can be checked with: one module each behind one small interface."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from neurontriage.errors import TriageError
from neurontriage.repro.case import Compiler, Function, Stack
from neurontriage.repro.lowering import Lowered

STRONGEST_FIRST = ("neuron", "torchneuron", "neuronx-cc", "xla-cpu")
TARGETS = ("trn1", "trn1n", "trn2", "trn3", "inf2")
FOREIGN = ("NEURON_CC_FLAGS", "NEURON_COMPILE_CACHE_URL", "NEURON_FRAMEWORK_DEBUG", "NEURONX_DUMP_TO")
"""Settings of the user's own work that would change a case, or answer from a cache: taken out."""


@dataclass(frozen=True, slots=True)
class Job:
    """Where and for what one graph is compiled; `limit` is in seconds, `slots` bounds compilations at one time."""

    folder: Path
    target: str
    flags: tuple[str, ...]
    limit: float
    slots: Path | None = None
    at_once: int = 1


class Backend(Protocol):
    """A compiler at hand. The three steps run inside the child process of one attempt."""

    NAME: str
    SHOWS: tuple[Compiler, ...]
    """Whose failures this backend can show: a graph that only compiles elsewhere proves nothing."""

    NUMBERS_FROM: str
    """What computes the values that are compared: `xla-cpu` or `device`."""

    ON_DEVICE: bool
    """Whether each process needs a NeuronCore of its own."""

    STACK: Stack
    """The software that traces the graph."""

    @staticmethod
    def missing() -> str:
        """Why this backend cannot be used here; empty when it can."""

    @staticmethod
    def environment(target: str) -> Mapping[str, str]:
        """Environment variables that must be set before torch-xla is imported."""

    @staticmethod
    def lower(function: Function, inputs: Sequence[Any], leaves: bool = False) -> Lowered:
        """Traces the function into HLO; one that `leaves` computes a part of it on the CPU. Raises CannotBuild."""

    @staticmethod
    def compile(lowered: Lowered, job: Job) -> Mapping[str, Any]:
        """Compiles the HLO; raises CompileFailed, or returns what was measured."""

    @staticmethod
    def run(lowered: Lowered) -> tuple[Any, ...]:
        """The output tensors after execution, ready to be read."""


class CompileFailed(Exception):
    """The compiler refused or did not finish; the text says how it ended, `facts` go into the record."""

    def __init__(self, message: str, facts: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.facts = dict(facts or {})


def load(name: str) -> Backend:
    """The backend of a name in STRONGEST_FIRST."""
    module = importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
    return cast(Backend, module)


def choose(name: str) -> Backend:
    """The backend that was asked for, or the strongest one at hand for `auto`."""
    if name == "auto":
        usable = [backend for backend in map(load, STRONGEST_FIRST) if not backend.missing()]
        return usable[0] if usable else _refuse(load("xla-cpu"))
    backend = load(name)
    return _refuse(backend) if backend.missing() else backend


def _refuse(backend: Backend) -> Backend:
    raise TriageError(
        reference="backend-missing",
        message=f"the backend {backend.NAME} cannot be used: {backend.missing()}",
        expected="an installed compiler",
        hint=backend_install(backend.NAME),
    )


def backend_install(name: str) -> str:
    """The command that installs a backend."""
    if name == "xla-cpu":
        return "pip install 'neurontriage[xla]'"
    return f"pip install {PACKAGES[name]} --extra-index-url https://pip.repos.neuron.amazonaws.com"


PACKAGES = {
    "neuronx-cc": "'neuronx-cc==2.*'",
    "neuron": "'neuronx-cc==2.26.*' 'torch-neuronx==2.9.0.2.15.*'",
    "torchneuron": "torch-neuronx",
}
"""SDK 2.31 is the last with torch-neuronx on torch-xla; from 2.32 on the same name is TorchNeuron."""
