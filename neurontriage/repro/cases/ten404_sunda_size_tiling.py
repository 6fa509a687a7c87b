"""Reported for chains of reshape and permute on many short axes."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.settings import other_passes

ID = "TEN404-SundaSizeTiling"
TITLE = "windows cut out by reshape and permute over six axes"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin("analogue", "https://github.com/aws-neuron/aws-neuron-sdk/issues/1101")


def window_partition(x: Tensor) -> Tensor:
    """Windows of 3 x 3 as one transpose of six axes, as in window attention."""
    b, h, w, c = x.shape
    return x.view(b, h // 3, 3, w // 3, 3, c).permute(0, 1, 3, 2, 4, 5).reshape(-1, 9, c)


def two_steps(x: Tensor) -> Tensor:
    """The same windows, one axis at a time: no transpose of more than four axes."""
    b, h, w, c = x.shape
    rows = x.reshape(b * h // 3, 3, w // 3, 3 * c).transpose(1, 2)
    return rows.reshape(-1, 9, c)


def sliced(x: Tensor) -> Tensor:
    """The same windows by slices and one stack."""
    _b, h, w, c = x.shape
    cut = [x[:, i : i + 3, j : j + 3] for i in range(0, h, 3) for j in range(0, w, 3)]
    return torch.stack(cut, 1).reshape(-1, 9, c)


def on_cpu(x: Tensor) -> Tensor:
    return window_partition(x.cpu()).to(x.device)


ALTERNATIVES = (
    Alternative("one-axis-at-a-time", "fix", two_steps),
    Alternative("slices-and-stack", "fix", sliced),
    *other_passes(window_partition, "transformer"),
    Alternative("partition-on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(window_partition, (torch.randn(2, 6, 9, 5),))


def trigger(module: Module) -> bool:
    """A transpose of more than four axes."""
    return any(len(each.result[0].dims) > 4 for each in module.views("transpose"))
