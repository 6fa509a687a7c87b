"""Pooling over a dilated input."""

from __future__ import annotations

from neurontriage.hlo.module import Module, Proto
from neurontriage.repro.blocks import edited_graph, running_pool
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF017"
TITLE = "reduce-window with base dilation"
NEEDS = Needs("neuronx-cc")
ORIGIN = page("EVRF017")


def dilated_base(x: Tensor) -> Tensor:
    """torch has no such layer, so the dilation is written into the HLO."""
    return edited_graph(running_pool, "reduce-window", dilate, x)


def dilate(instruction: Proto) -> None:
    """Base dilation 2 and stride 2: each window sees one value and one hole."""
    axis = instruction.window.dimensions[0]
    axis.base_dilation = axis.stride = 2


def spread_by_hand(x: Tensor) -> Tensor:
    """The holes as minus infinity in a tensor of its own, then ordinary windows."""
    holes = torch.full_like(x, float("-inf"))
    wide = torch.stack([x, holes], 1).reshape(-1)[:-1]
    return torch.maximum(wide[:-1:2], wide[1::2])


def without_holes(x: Tensor) -> Tensor:
    return x[:-1] * 1.0


def without_dilation(x: Tensor) -> Tensor:
    return running_pool(x)


ALTERNATIVES = (
    Alternative("dilate-by-hand", "fix", spread_by_hand, note="documented"),
    Alternative("leave-the-holes-out", "fix", without_holes, note="holes never win a maximum"),
    Alternative("no-dilation", "semantics-changing", without_dilation, note="documented; another operation"),
)


def build() -> Example:
    return Example(dilated_base, (torch.randn(8),), reference=spread_by_hand)


def trigger(module: Module) -> bool:
    return any("lhs_dilate" in each.attributes["window"] for each in module.views("reduce-window"))
