"""The contract of a reproduction case: one module under `cases/`, named after the entry's id."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

Function = Callable[..., Any]
Kind = Literal["fix", "fallback", "semantics-changing"]
Compiler = Literal["neuronx-cc", "xla-cpu"]


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Two numbers are close when |actual - expected| <= atol + rtol * |expected|."""

    rtol: float
    atol: float


@dataclass(frozen=True, slots=True)
class Needs:
    """What shows the failure: the compiler that fails, with these flags and environment variables.

    `targets` are the instance families that fail; empty means all of them. `entry` is the knowledge
    entry to be found in the log where the case's id is only one of its aliases.
    """

    compiler: Compiler
    environment: Mapping[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    entry: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """The failing function and CPU tensors for it.

    `reference` computes the expected values on CPU where the failing function itself cannot
    (it raises, draws random numbers, or exists on XLA devices only).
    """

    function: Function
    inputs: Sequence[Any]
    reference: Function | None = None


@dataclass(frozen=True, slots=True)
class Alternative:
    """Something that is said to help; it takes the same inputs as the failing function.

    `works` is what was measured: False marks advice that is often quoted and does not help, and
    `note` says why. A semantics-changing alternative is never called equivalent.
    """

    name: str
    kind: Kind
    function: Function
    works: bool = True
    note: str = ""
    tolerance: Tolerance | None = None


@runtime_checkable
class Case(Protocol):
    """Members of a case module. Only `build` and the alternatives' functions may touch torch."""

    ID: str
    """The knowledge entry that this case reproduces, or one of its aliases (then `NEEDS.entry` is set)."""

    TITLE: str
    """What fails, in one line."""

    NEEDS: Needs
    """Which compiler shows the failure, and under which settings."""

    ALTERNATIVES: tuple[Alternative, ...]
    """Every fix and fallback that is listed for the entry or often quoted for it."""

    @staticmethod
    def build() -> Example:
        """The failing function with its example inputs; called after the seed is set."""

    @staticmethod
    def trigger(hlo: str) -> bool:
        """Whether the structure that triggers the failure is in this HLO text."""
