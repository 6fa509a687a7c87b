"""torch-xla's activation checkpointing without reentrance."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "XLA-CheckpointReentrant"
TITLE = "torch_xla checkpoint with use_reentrant=False"
NEEDS = Needs("xla-cpu")
ORIGIN = Origin(
    "documented",
    "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/archive/appnotes/torch-neuronx/introducing-pytorch-2-9.html",
)


def checkpointed(x: Tensor, reentrant: bool) -> Tensor:
    from torch_xla.utils.checkpoint import checkpoint

    x = x.detach().requires_grad_()
    checkpoint(torch.tanh, x * 2, use_reentrant=reentrant).sum().backward()
    return x.grad


def not_reentrant(x: Tensor) -> Tensor:
    return checkpointed(x, reentrant=False)


def reentrant(x: Tensor) -> Tensor:
    return checkpointed(x, reentrant=True)


def plain(x: Tensor) -> Tensor:
    x = x.detach().requires_grad_()
    torch.tanh(x * 2).sum().backward()
    return x.grad


ALTERNATIVES = (
    Alternative("reentrant", "fix", reentrant, note="documented"),
    Alternative("no-checkpoint", "fallback", plain, note="costs memory"),
)


def build() -> Example:
    return Example(not_reentrant, (torch.randn(5),), reference=plain)


trigger = no_graph
