"""A Python branch on a tensor inside `torch.vmap`."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "VMAP-DataDependent"
TITLE = "data-dependent control flow under vmap"
NEEDS = Needs("xla-cpu")
ORIGIN = Origin("documented", "https://docs.pytorch.org/docs/stable/func.ux_limitations.html")


def branch(row: Tensor) -> Tensor:
    return row * 2 if row.sum() > 0 else -row


def mapped_branch(x: Tensor) -> Tensor:
    return torch.vmap(branch)(x)


def selected(x: Tensor) -> Tensor:
    return torch.vmap(lambda row: torch.where(row.sum() > 0, row * 2, -row))(x)


def loop(x: Tensor) -> Tensor:
    return torch.stack([branch(row) for row in x])


ALTERNATIVES = (
    Alternative("where", "fix", selected, note="both branches are computed"),
    Alternative("python-loop", "fallback", loop, note="reads a value back per row: one graph each"),
)


def build() -> Example:
    return Example(mapped_branch, (torch.randn(4, 3),), reference=loop)


trigger = no_graph
