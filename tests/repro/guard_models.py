"""Models for the tests of the guard; their classes are torch's, so this module is imported when a test runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

TEN404 = "2025-10-31T07:17:12Z [TEN404] Internal tensorizer error: InferIntrinsicOnCC"


class Failing(torch.autograd.Function):  # type: ignore[misc]
    """A step that only the device refuses; on CPU it is the identity."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        if x.device.type == "xla":
            raise RuntimeError(TEN404)
        return x.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return gradient


def lazily_refused(x: Any) -> Any:
    """Traces, but its graph does not compile: the failure comes when the graph is cut."""
    from neurontriage.repro.blocks import edited_graph

    def widen(instruction: Any) -> None:
        instruction.shape.dimensions[:] = [8, 5]

    return edited_graph(lambda t: t * 1.0, "multiply", widen, x) if x.device.type == "xla" else x.clone()


class Net(torch.nn.Module):  # type: ignore[misc]
    """A layer that fails, batch norm before it, tied weights, and a counter in a plain attribute."""

    def __init__(self, fails: Callable[[Any], Any]) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.first, self.norm, self.last = torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 4)
        self.last.weight = self.first.weight
        self.fails, self.calls = fails, 0

    def on(self, place: Any) -> Net:
        """Moved, with the weights tied again: moving to XLA makes two of them."""
        self.to(place)
        self.last.weight = self.first.weight
        return self

    def forward(self, x: Any) -> Any:
        self.calls += 1
        return self.last(self.fails(self.norm(torch.relu(self.first(x)))))
