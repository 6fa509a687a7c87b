"""Neighbours on an awkward axis, a subtraction, and a linear layer."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.conditions import FINITE
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.settings import other_passes

ID = "TEN404-LegalizeSundaAccess"
TITLE = "a subtraction over an axis of 20 neighbours"
NEEDS = Needs("neuronx-cc", targets=("trn1", "trn1n", "inf2"))
ORIGIN = Origin(
    "analogue", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/release-notes/components/compiler.html"
)


def edge_features(neighbours: Tensor, centre: Tensor, weight: Tensor) -> Tensor:
    return torch.amax((neighbours - centre[:, None]) @ weight, 1)


def padded_axis(neighbours: Tensor, centre: Tensor, weight: Tensor) -> Tensor:
    """32 neighbours; the added ones repeat the first and so never win the maximum."""
    wide = torch.cat([neighbours, neighbours[:, :1].expand(-1, 12, -1)], 1)
    return edge_features(wide, centre, weight)


def folded(neighbours: Tensor, centre: Tensor, weight: Tensor) -> Tensor:
    """The subtraction after the linear layer and the maximum: both let it pass."""
    return torch.amax(neighbours @ weight, 1) - centre @ weight


ALTERNATIVES = (
    Alternative("pad-to-32", "fix", padded_axis, requires=(FINITE,)),
    Alternative("fold-into-linear", "fix", folded, requires=(FINITE,)),
    *other_passes(edge_features),
)


def build() -> Example:
    return Example(edge_features, (torch.randn(3, 20, 4), torch.randn(3, 4), torch.randn(4, 5)))


def trigger(module: Module) -> bool:
    """A subtraction over an axis of 20."""
    return any(20 in each.result[0].sizes for each in module.views("subtract"))
