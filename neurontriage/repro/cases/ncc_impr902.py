"""A mask that is made by writing into a slice."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-IMPR902"
TITLE = "an attention mask written into a tensor of zeros"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin("analogue", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/index.html")
LIVE = 5


def mutated_mask(x: Tensor) -> Tensor:
    mask = torch.zeros(x.shape[-1], dtype=x.dtype, device=x.device)
    mask[:LIVE] = 1
    return (x * mask).sum(-1)


def compared_mask(x: Tensor) -> Tensor:
    mask = (torch.arange(x.shape[-1], device=x.device) < LIVE).to(x.dtype)
    return (x * mask).sum(-1)


def host_mask(x: Tensor) -> Tensor:
    """The mask is made on the host and comes in as an input of the graph."""
    mask = torch.zeros(x.shape[-1], dtype=x.dtype)
    mask[:LIVE] = 1
    return (x * mask.to(x.device)).sum(-1)


def sliced(x: Tensor) -> Tensor:
    return x[..., :LIVE].sum(-1)


ALTERNATIVES = (
    Alternative("comparison", "fix", compared_mask),
    Alternative("mask-as-input", "fix", host_mask),
    Alternative("slice-without-mask", "fix", sliced),
)


def build() -> Example:
    return Example(mutated_mask, (torch.randn(3, 8),))


def trigger(module: Module) -> bool:
    """The partial write: a select between the written values and the zeros, or an update."""
    return module.has("select", "dynamic-update-slice", "scatter")
