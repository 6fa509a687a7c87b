"""In-place arithmetic of a mapped value on a buffer that is not mapped."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "VMAP-InplaceArithmetic"
TITLE = "in-place product into an unmapped buffer under vmap"
NEEDS = Needs("xla-cpu")
ORIGIN = Origin("documented", "https://docs.pytorch.org/docs/stable/func.ux_limitations.html")


def in_place(x: Tensor) -> Tensor:
    return torch.vmap(lambda row: torch.ones(3, dtype=x.dtype, device=x.device).mul_(row))(x)


def out_of_place(x: Tensor) -> Tensor:
    return torch.vmap(lambda row: torch.ones(3, dtype=x.dtype, device=x.device) * row)(x)


def mapped_buffer(x: Tensor) -> Tensor:
    return torch.vmap(lambda row: torch.ones_like(row).mul_(row))(x)


ALTERNATIVES = (
    Alternative("out-of-place", "fix", out_of_place),
    Alternative("buffer-from-mapped-tensor", "fix", mapped_buffer, note="ones_like of a mapped tensor is mapped"),
)


def build() -> Example:
    return Example(in_place, (torch.randn(4, 3),), reference=out_of_place)


trigger = no_graph
