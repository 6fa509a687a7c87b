"""An in-place addition of a mapped value to a buffer that is not mapped."""

from __future__ import annotations

from neurontriage.repro.case import Alternative, Example, Needs
from neurontriage.repro.lazy import Tensor, torch

ID = "VMAP-InplaceArithmetic"
TITLE = "in-place addition to an unmapped buffer under vmap"
NEEDS = Needs("xla-cpu")


def in_place(x: Tensor) -> Tensor:
    buffer = torch.ones(x.shape[1], dtype=x.dtype, device=x.device)
    return torch.vmap(lambda row: buffer.clone().add_(row))(x)


def out_of_place(x: Tensor) -> Tensor:
    buffer = torch.ones(x.shape[1], dtype=x.dtype, device=x.device)
    return torch.vmap(lambda row: buffer + row)(x)


def mapped_buffer(x: Tensor) -> Tensor:
    return torch.vmap(lambda row: torch.ones_like(row).add_(row))(x)


ALTERNATIVES = (
    Alternative("out-of-place", "fix", out_of_place),
    Alternative(
        "buffer-from-mapped-tensor",
        "fix",
        mapped_buffer,
        works=False,
        note="often quoted; ones_like makes an unmapped tensor all the same, so vmap refuses it too",
    ),
)


def build() -> Example:
    return Example(in_place, (torch.randn(4, 3),), reference=out_of_place)


def trigger(hlo: str) -> bool:
    """The failure is raised before any HLO exists."""
    return False
