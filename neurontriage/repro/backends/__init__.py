"""The compilers that a case can be checked with: one module each behind one small interface."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from neurontriage.errors import TriageError
from neurontriage.repro.case import Compiler, Function
from neurontriage.repro.lowering import Lowered

STRONGEST_FIRST = ("neuron", "neuronx-cc", "xla-cpu")
CHOICES = ("auto", *STRONGEST_FIRST)
TARGETS = ("trn1", "trn1n", "trn2", "inf2")


@dataclass(frozen=True, slots=True)
class Job:
    """Where and for what one graph is compiled; `limit` is in seconds."""

    folder: Path
    target: str
    flags: tuple[str, ...]
    limit: float


class Backend(Protocol):
    """A compiler at hand. The three steps run inside the child process of one attempt."""

    NAME: str
    SHOWS: tuple[Compiler, ...]
    """Whose failures this backend can show: a graph that only compiles elsewhere proves nothing."""

    @staticmethod
    def missing() -> str:
        """Why this backend cannot be used here; empty when it can."""

    @staticmethod
    def environment(target: str) -> Mapping[str, str]:
        """Environment variables that must be set before torch-xla is imported."""

    @staticmethod
    def lower(function: Function, inputs: Sequence[Any]) -> Lowered:
        """Traces the function into HLO."""

    @staticmethod
    def compile(lowered: Lowered, job: Job) -> Mapping[str, Any]:
        """Compiles the HLO; raises CompileFailed, or returns what was measured."""

    @staticmethod
    def run(lowered: Lowered) -> tuple[Any, ...]:
        """The output tensors after execution, ready to be read."""


class CompileFailed(Exception):
    """The compiler refused or did not finish; the text says how it ended."""


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
    packages = "neuronx-cc==2.*" if name == "neuronx-cc" else "neuronx-cc==2.* torch-neuronx"
    return f"pip install {packages} --extra-index-url https://pip.repos.neuron.amazonaws.com"
