"""Pooling over a dilated input."""

from __future__ import annotations

from neurontriage.repro.blocks import edited_graph, running_pool
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.hlo import windows
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.wire import WINDOW, encode, rewrite, varint

ID = "NCC-EVRF017"
TITLE = "reduce-window with base dilation"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF017.html"
)
DIMENSIONS, STRIDE, BASE_DILATION = 1, 2, 6


def dilated_base(x: Tensor) -> Tensor:
    """torch has no such layer, so the dilation is written into the HLO."""
    return edited_graph(running_pool, "reduce-window", dilate, x)


def dilate(instruction: bytes) -> bytes:
    """Base dilation 2 and stride 2: each window sees one value and one hole."""
    more = encode(BASE_DILATION, 0, varint(2)) + encode(STRIDE, 0, varint(2))
    return rewrite(instruction, WINDOW, lambda window: rewrite(window, DIMENSIONS, lambda axis: axis + more))


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


def trigger(hlo: str) -> bool:
    return any("lhs_dilate" in window for window in windows(hlo, "reduce-window"))
