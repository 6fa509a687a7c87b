"""A boolean mask: the size of its result depends on the data."""

from __future__ import annotations

from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.conditions import FINITE
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EMOD025"
TITLE = "a shape that depends on the data"
NEEDS = Needs("neuronx-cc", environment={"XLA_EXPERIMENTAL": "nonzero:masked_select"})
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EMOD025.html"
)


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


def trigger(hlo: str) -> bool:
    """A bounded dynamic dimension, printed as `<=N`."""
    return "[<=" in hlo or ",<=" in hlo
