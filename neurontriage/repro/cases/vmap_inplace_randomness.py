"""Random numbers drawn in place into a buffer that is not mapped."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "VMAP-InplaceRandomness"
TITLE = "in-place random numbers in an unmapped tensor under vmap"
NEEDS = Needs("xla-cpu")
ORIGIN = Origin("documented", "https://docs.pytorch.org/docs/stable/func.ux_limitations.html")


def drawn(values: Tensor) -> Tensor:
    """One where a number may come from a uniform distribution: drawn numbers cannot be compared."""
    return ((values >= 0) & (values < 1)).to(values.dtype)


def in_place(x: Tensor) -> Tensor:
    noise = torch.vmap(lambda row: torch.zeros(3, device=x.device).uniform_() + 0 * row, randomness="different")
    return drawn(noise(x))


def out_of_place(x: Tensor) -> Tensor:
    return drawn(torch.vmap(torch.rand_like, randomness="different")(x))


def same_for_all(x: Tensor) -> Tensor:
    noise = torch.vmap(lambda row: torch.zeros(3, device=x.device).uniform_() + 0 * row, randomness="same")
    return drawn(noise(x))


ALTERNATIVES = (
    Alternative("out-of-place", "fix", out_of_place),
    Alternative("randomness-same", "fix", same_for_all, note="the same numbers for all rows"),
)


def build() -> Example:
    return Example(in_place, (torch.randn(4, 3),), reference=torch.ones_like)


trigger = no_graph
