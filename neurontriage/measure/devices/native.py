"""A device of PyTorch itself behind `torch.compile`: a backend that counts what it compiles and runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from neurontriage.measure.device import Connection, Counters, Cut, Step

_SPECIALISATIONS = 256
"""Of one function: the patterns compile the same code once for each graph."""


@dataclass
class CountingBackend:
    """Hands every graph to the real backend; times the compilations and counts the runs.

    A compiled function that returns at once leaves its work to the device: run times are those of the wait.
    """

    name: str
    compiles: int = 0
    seconds: float = 0.0
    executions: int = 0
    sizes: list[int] = field(default_factory=list)

    def __call__(self, graph: Any, inputs: Any) -> Callable[..., Any]:
        from torch._dynamo.backends.registry import lookup_backend

        began = time.perf_counter()
        compiled = lookup_backend(self.name)(graph, inputs)
        self.seconds += time.perf_counter() - began
        self.compiles += 1
        self.sizes.append(sum(node.op.startswith("call") for node in graph.graph.nodes))

        def run(*arguments: Any) -> Any:
            self.executions += 1
            return compiled(*arguments)

        return run


@dataclass
class NativeDevice:
    """`device` as `torch.device` names it; `synchronize` waits for everything that was started on it."""

    device: str
    backend: CountingBackend
    synchronize: Callable[[], None]

    def now(self) -> float:
        """The clock of this host, in seconds."""
        return time.perf_counter()

    def open(self) -> None:
        """The first tensor on the device."""
        import torch

        torch.empty(1, device=self.device)
        self.synchronize()

    def place(self, value: Any) -> Any:
        """A module or tensor on the device, after the transfer."""
        moved = value.to(self.device)
        self.synchronize()
        return moved

    def transfer(self) -> None:
        """Four bytes to the device."""
        import torch

        self.place(torch.zeros(1))

    def compiled(self, function: Any) -> Any:
        """The function as one graph; another shape is another graph, as on every device with static shapes."""
        import torch

        torch._dynamo.config.recompile_limit = _SPECIALISATIONS
        return torch.compile(function, backend=self.backend, dynamic=False, fullgraph=True)

    def trivial(self) -> Step:
        """x @ x + 1"""
        import torch

        x, body = self.place(torch.zeros(8, 8)), self.compiled(lambda x: x @ x + 1)

        def step(cut: Cut) -> Any:
            result = body(x)
            cut([result])
            return result

        return step

    def cut(self, outputs: Any) -> None:
        """Compiled functions start at once; a synchronisation waits for them."""
        self.synchronize()

    def wait(self) -> None:
        """The same again: nothing is pending after it."""
        self.synchronize()

    def counters(self) -> Counters:
        """What the counting backend saw; transfers and fallbacks are not known here."""
        return Counters(self.backend.compiles, self.backend.seconds, self.backend.executions)

    def instructions(self, outputs: Any) -> tuple[str, int] | None:
        """Graphs exist only while they are compiled."""
        return None


def connection(device: str, backend: str, synchronize: Callable[[], None]) -> Connection:
    """A device of PyTorch with one of the registered backends of `torch.compile`."""
    native = NativeDevice(device, CountingBackend(backend), synchronize)
    return Connection(native, native.place, native.compiled)
