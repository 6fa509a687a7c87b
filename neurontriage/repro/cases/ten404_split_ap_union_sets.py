"""Normalisation layers lower to one batch-norm-training operation."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.settings import other_passes

ID = "TEN404-SplitAPUnionSets"
TITLE = "group norm lowers to batch-norm-training"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin("analogue", "https://github.com/aws-neuron/aws-neuron-sdk/issues/1080")


def group_norm(x: Tensor) -> Tensor:
    return torch.nn.functional.group_norm(x, 2)


def written_out(x: Tensor) -> Tensor:
    groups = x.reshape(x.shape[0], 2, -1)
    centred = groups - groups.mean(-1, keepdim=True)
    variance = (centred * centred).mean(-1, keepdim=True)
    return (centred * torch.rsqrt(variance + 1e-5)).reshape(x.shape)


def layer_norm(x: Tensor) -> Tensor:
    groups = x.reshape(x.shape[0], 2, -1)
    return torch.nn.functional.layer_norm(groups, groups.shape[-1:]).reshape(x.shape)


def on_cpu(x: Tensor) -> Tensor:
    return group_norm(x.cpu()).to(x.device)


ALTERNATIVES = (
    Alternative("written-out", "fix", written_out),
    Alternative(
        "layer-norm",
        "fix",
        layer_norm,
        works=False,
        note="lowers to the same batch-norm-training in torch-xla 2.9",
    ),
    *other_passes(group_norm, "unet-inference"),
    Alternative("norm-on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(group_norm, (torch.randn(2, 4, 3, 3),))


def trigger(module: Module) -> bool:
    return module.has("batch-norm-training")
