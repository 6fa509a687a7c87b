"""Reported where a loop stores to the same tensor more than once ("Can only handle single store")."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "TEN404-NeuronInstComb"
TITLE = "one tensor that a loop stores to several times"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin("analogue", "https://github.com/aws-neuron/aws-neuron-sdk/issues/1056")


def stored_repeatedly(x: Tensor) -> Tensor:
    result = torch.zeros_like(x)
    for row in range(x.shape[0]):
        result[row] += x[row] * (row + 1)
    return result


def stacked(x: Tensor) -> Tensor:
    return torch.stack([x[row] * (row + 1) for row in range(x.shape[0])])


def broadcast(x: Tensor) -> Tensor:
    return x * torch.arange(1, x.shape[0] + 1, device=x.device)[:, None].to(x.dtype)


def on_cpu(x: Tensor) -> Tensor:
    return stored_repeatedly(x.cpu()).to(x.device)


ALTERNATIVES = (
    Alternative("stack-once", "fix", stacked),
    Alternative("broadcast-multiply", "fix", broadcast),
    Alternative("loop-on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(stored_repeatedly, (torch.randn(6, 5),))


def trigger(module: Module) -> bool:
    return len(module.views("dynamic-update-slice", "scatter")) > 1
