"""A reduction written as a matmul of a state that is an output of the graph too."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.settings import other_passes

ID = "TEN404-TritiumFusion"
TITLE = "a matmul over a state that is also written back"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin(
    "analogue", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/release-notes/components/compiler.html"
)


def matmul_of_state(weights: Tensor, state: Tensor, update: Tensor) -> tuple[Tensor, Tensor]:
    state = state * 0.5 + update
    return torch.matmul(weights, state), state


def product_and_reduction(weights: Tensor, state: Tensor, update: Tensor) -> tuple[Tensor, Tensor]:
    state = state * 0.5 + update
    return (weights.unsqueeze(-1) * state).sum(dim=-2), state


def on_cpu(weights: Tensor, state: Tensor, update: Tensor) -> tuple[Tensor, ...]:
    results = matmul_of_state(weights.cpu(), state.cpu(), update.cpu())
    return tuple(result.to(weights.device) for result in results)


ALTERNATIVES = (
    Alternative("product-and-sum", "fix", product_and_reduction),
    *other_passes(matmul_of_state, "transformer"),
    Alternative("on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(matmul_of_state, (torch.randn(6), torch.randn(6, 4), torch.randn(6, 4)))


def trigger(module: Module) -> bool:
    return module.has("dot")
