"""What a device must offer to be measured: a clock, counters, an end of the graph, and a way to wait."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

Cut = Callable[[Any], None]
"""Ends the graph that computes the given tensors and starts it; the program calls it where it synchronises."""
Step = Callable[[Cut], Any]
"""One run of a pattern; returns its outputs, which stay alive until the device is done."""


@dataclass(frozen=True, slots=True)
class Counters:
    """What the runtime counted. Times in seconds; `fallbacks`: runs on the CPU by operator name."""

    compiles: int = 0
    compile_seconds: float = 0.0
    executions: int = 0
    execute_seconds: float = 0.0
    to_device: int = 0
    from_device: int = 0
    fallbacks: Mapping[str, int] = field(default_factory=dict)

    def since(self, before: Counters) -> Counters:
        """What was counted between `before` and now."""
        fallbacks = {name: n - before.fallbacks.get(name, 0) for name, n in self.fallbacks.items()}
        return Counters(
            self.compiles - before.compiles,
            self.compile_seconds - before.compile_seconds,
            self.executions - before.executions,
            self.execute_seconds - before.execute_seconds,
            self.to_device - before.to_device,
            self.from_device - before.from_device,
            {name: n for name, n in fallbacks.items() if n},
        )


@dataclass(frozen=True, slots=True)
class Program:
    """One combination, ready to run. What a run claims: its cuts, its executions, and how many graphs it compiles.

    None: not known beforehand (a user's own step); the first run says it.
    """

    graph: str
    pattern: str
    step: Step
    cuts: int | None = None
    compiles: int | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str]:
        return self.graph, self.pattern


@dataclass(frozen=True, slots=True)
class Connection:
    """A device and how programs use it.

    `place` moves a module or tensor there, `compiled` wraps what runs between two synchronisations, `scan` is the
    native one (None where there is none).
    """

    device: Device
    place: Callable[[Any], Any]
    compiled: Callable[[Any], Any] = lambda function: function
    scan: Callable[..., Any] | None = None


class Device(Protocol):
    """A device with a clock of its own, so that a test can put one with known costs in its place."""

    def now(self) -> float:
        """Seconds since some fixed point."""

    def open(self) -> None:
        """Initialises the device; called once."""

    def transfer(self) -> None:
        """Moves a small tensor to the device and waits for it."""

    def trivial(self) -> Step:
        """A graph of one operation, for the warm-up of the process."""

    def cut(self, outputs: Any) -> None:
        """Ends the graph and starts it; may return before it is done."""

    def wait(self) -> None:
        """Returns when everything that was started is done."""

    def counters(self) -> Counters:
        """The runtime's counters; right only after `wait`."""

    def instructions(self, outputs: Any) -> tuple[str, int] | None:
        """Hash and number of HLO instructions of the graph that computes `outputs`; None where it cannot be asked."""
