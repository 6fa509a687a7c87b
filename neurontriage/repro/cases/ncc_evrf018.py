"""Pooling with a dilated window."""

from __future__ import annotations

from neurontriage.hlo.module import Module, Proto
from neurontriage.repro.blocks import edited_graph, running_pool
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.conditions import NO_NAN
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF018"
TITLE = "reduce-window with window dilation"
NEEDS = Needs("neuronx-cc")
ORIGIN = page("EVRF018")


def dilated_window(x: Tensor) -> Tensor:
    """max_pool with dilation runs on CPU in torch-xla, so the dilation is written into the HLO."""
    return edited_graph(running_pool, "reduce-window", dilate, x)


def dilate(instruction: Proto) -> None:
    """Window dilation 2; one more row of padding keeps the output's shape."""
    axis = instruction.window.dimensions[0]
    axis.window_dilation, axis.padding_high = 2, 1


def shifted_maximum(x: Tensor) -> Tensor:
    """The window of two, two apart, as the maximum of two slices."""
    padded = torch.cat([x, torch.full_like(x[:1], float("-inf"))])
    return torch.maximum(padded[:-2], padded[2:])


def pooling_layer(x: Tensor) -> Tensor:
    padded = torch.cat([x, torch.full_like(x[:1], float("-inf"))])
    return torch.nn.functional.max_pool1d(padded[None], 2, stride=1, dilation=2)[0]


def without_dilation(x: Tensor) -> Tensor:
    return running_pool(x)


ALTERNATIVES = (
    Alternative("maximum-of-slices", "fix", shifted_maximum, requires=(NO_NAN,)),
    Alternative("max-pool-layer", "fallback", pooling_layer, note="runs on CPU: torch-xla does not lower its dilation"),
    Alternative("no-dilation", "semantics-changing", without_dilation, note="documented; another layer"),
)


def build() -> Example:
    return Example(dilated_window, (torch.randn(8),), reference=shifted_maximum)


def trigger(module: Module) -> bool:
    return any("rhs_dilate" in each.attributes["window"] for each in module.views("reduce-window"))
