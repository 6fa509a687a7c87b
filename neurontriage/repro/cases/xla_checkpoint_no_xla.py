"""Activation checkpointing by torch's own function on XLA tensors."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Function, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "XLA-CheckpointNoXla"
TITLE = "torch.utils.checkpoint looks for a module torch.xla"
NEEDS = Needs("xla-cpu")
ORIGIN = Origin(
    "documented",
    "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/archive/appnotes/torch-neuronx/introducing-pytorch-2-9.html",
)


def gradient(x: Tensor, run: Function) -> Tensor:
    x = x.detach().requires_grad_()
    run(torch.tanh, x * 2).sum().backward()
    return x.grad


def torch_checkpoint(x: Tensor) -> Tensor:
    from torch.utils.checkpoint import checkpoint

    return gradient(x, lambda function, value: checkpoint(function, value, use_reentrant=True))


def without_random_state(x: Tensor) -> Tensor:
    from torch.utils.checkpoint import checkpoint

    return gradient(
        x, lambda function, value: checkpoint(function, value, use_reentrant=True, preserve_rng_state=False)
    )


def xla_checkpoint(x: Tensor) -> Tensor:
    from torch_xla.utils.checkpoint import checkpoint

    return gradient(x, lambda function, value: checkpoint(function, value, use_reentrant=True))


def no_checkpoint(x: Tensor) -> Tensor:
    return gradient(x, lambda function, value: function(value))


ALTERNATIVES = (
    Alternative("torch-xla-checkpoint", "fix", xla_checkpoint, note="documented"),
    Alternative(
        "leave-random-state",
        "fix",
        without_random_state,
        works=False,
        note="often quoted (preserve_rng_state=False); torch 2.9 still asks for the device module of xla",
    ),
    Alternative("no-checkpoint", "fallback", no_checkpoint, note="costs memory"),
)


def build() -> Example:
    return Example(torch_checkpoint, (torch.randn(5),), reference=no_checkpoint)


trigger = no_graph
