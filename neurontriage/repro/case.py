"""The contract of a reproduction case: one module under `cases/`, named after the entry's id, or one of its `CASES`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from neurontriage.hlo.module import Module

Function = Callable[..., Any]
Kind = Literal["fix", "fallback", "semantics-changing"]
Compiler = Literal["neuronx-cc", "xla-cpu"]
Provenance = Literal["documented", "issue", "analogue"]
Stack = Literal["xla", "native"]
"""torch-xla with torch-neuronx up to SDK 2.31, or TorchNeuron (`torch.compile`), the only one since 2.32."""
BOTH: tuple[Stack, ...] = ("xla", "native")


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Two numbers are close when |actual - expected| <= atol + rtol * |expected|."""

    rtol: float
    atol: float


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a graph comes from, and how much a result with it says about the entry.

    `documented`: the code of a documentation page, or the trigger that the page names. `issue`: a published script.
    `analogue`: ours, after a description; it is not known to fail. `source` is a link, `since` and `before` the
    neuronx-cc versions between which the failure is on record (empty: not said).
    """

    kind: Provenance
    source: str
    since: str = ""
    before: str = ""


def page(code: str, since: str = "") -> Origin:
    """The code, or the trigger, of a page of the compiler's error codes, such as `EVRF001`."""
    folder = "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes"
    return Origin("documented", f"{folder}/{code}.html", since)


@dataclass(frozen=True, slots=True)
class Needs:
    """What shows the failure: the compiler that fails, with these flags and environment variables.

    `targets` are the instance families that fail; empty means all of them. `entry` is the knowledge
    entry to be found in the log where the case's id is only one of its aliases. `subject`: words of which the
    message must hold one (the operator, the pass), where one code stands for many failures. `compile_only`: a graph
    that no CPU client can run, so there are no numbers to compare. `nki`: the failing graph calls a kernel, which one
    of these packages of NKI must build.
    """

    compiler: Compiler
    environment: Mapping[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    entry: str = ""
    subject: tuple[str, ...] = ()
    compile_only: bool = False
    nki: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """What the inputs must be for an alternative to be right; `holds` takes the inputs of the case."""

    text: str
    holds: Callable[..., bool]


class CannotBuild(Exception):
    """The graph cannot be written with what is installed here; the text says what is missing."""


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

    `works` is what was measured: False marks advice that is often quoted and does not help, and `note` says why. A
    semantics-changing alternative is never called equivalent. `flags` and `environment` are added for it, `unset`
    flags of the case (by their beginning) left out: what only they change shows with neuronx-cc alone. `source` is
    the page or thread that says so; `targets` have the flag (empty: all). `requires` are preconditions, `stacks` where
    it holds. `inferred`: nobody has reported that it helps, `source` only documents the setting; it promises nothing.
    """

    name: str
    kind: Kind
    function: Function
    works: bool = True
    note: str = ""
    tolerance: Tolerance | None = None
    flags: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    unset: tuple[str, ...] = ()
    requires: tuple[Condition, ...] = ()
    stacks: tuple[Stack, ...] = BOTH
    source: str = ""
    targets: tuple[str, ...] = ()
    inferred: bool = False

    @property
    def promised(self) -> bool:
        """Whether it is listed as a fix or fallback that helps: one that does not refutes the entry."""
        return self.works and not self.inferred and self.kind != "semantics-changing"

    @property
    def settings_only(self) -> bool:
        """Whether it changes how the compiler runs and nothing in the graph."""
        return bool(self.flags or self.environment or self.unset)


@runtime_checkable
class Case(Protocol):
    """Members of a case module, or of a `GraphCase`. Only `build` and the alternatives' functions may touch torch."""

    ID: str
    """The knowledge entry that this case reproduces, or one of its aliases (then `NEEDS.entry` is set)."""

    TITLE: str
    """What fails, in one line."""

    NEEDS: Needs
    """Which compiler shows the failure, and under which settings."""

    ORIGIN: Origin
    """Where the graph comes from."""

    ALTERNATIVES: tuple[Alternative, ...]
    """Every fix and fallback that is listed for the entry or often quoted for it."""

    @staticmethod
    def build() -> Example:
        """The failing function with its example inputs; called after the seed is set."""

    @staticmethod
    def trigger(module: Module) -> bool:
        """Whether the structure that triggers the failure is in this HLO module."""


@dataclass(frozen=True)
class GraphCase:
    """A case as a value: for a file that holds several (`CASES`), alike but for a function or two.

    `function`, `inputs` and the alternatives' functions are defined in that file, so that the script finds them.
    """

    ID: str
    TITLE: str
    NEEDS: Needs
    ORIGIN: Origin
    ALTERNATIVES: tuple[Alternative, ...]
    function: Function
    inputs: Callable[[], Sequence[Any]]
    holds: Callable[[Module], bool]
    reference: Function | None = None

    def build(self) -> Example:
        """The failing function with its inputs."""
        return Example(self.function, self.inputs(), self.reference)

    def trigger(self, module: Module) -> bool:
        """Whether the failing structure is in this module."""
        return self.holds(module)
