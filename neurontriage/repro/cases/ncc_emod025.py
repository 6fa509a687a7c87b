"""A boolean mask: the size of its result depends on the data."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.conditions import FINITE
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EMOD025"
TITLE = "a shape that depends on the data"
NEEDS = Needs("neuronx-cc", environment={"XLA_EXPERIMENTAL": "nonzero:masked_select"})
ORIGIN = page("EMOD025")


def selected(x: Tensor) -> Tensor:
    return torch.masked_select(x, x > 0).sum()


def masked_sum(x: Tensor) -> Tensor:
    """All values stay; those that are not selected count as zero."""
    return torch.where(x > 0, x, torch.zeros_like(x)).sum()


def multiplied(x: Tensor) -> Tensor:
    return (x * (x > 0).to(x.dtype)).sum()


def on_cpu(x: Tensor) -> Tensor:
    return selected(x.cpu()).to(x.device)


ALTERNATIVES = (
    Alternative("where-with-zero", "fix", masked_sum, note="masks of a fixed size"),
    Alternative("multiply-by-mask", "fix", multiplied, requires=(FINITE,)),
    Alternative("select-on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(selected, (torch.randn(8),))


def trigger(module: Module) -> bool:
    """A bounded dynamic dimension, printed as `<=N`."""
    return any(shape.dynamic for each in module.views() for shape in each.result)
