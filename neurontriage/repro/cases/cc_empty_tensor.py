"""A tensor without elements in the graph."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "CC-EmptyTensor"
TITLE = "concatenation with a prefix of length zero"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin("analogue", "https://github.com/aws-neuron/aws-neuron-sdk/issues/948")


def with_empty_prefix(prefix: Tensor, tokens: Tensor) -> Tensor:
    return torch.cat([prefix * 2, tokens], dim=1).sum(1)


def left_out(prefix: Tensor, tokens: Tensor) -> Tensor:
    parts = [prefix * 2] if prefix.shape[1] else []
    return torch.cat([*parts, tokens], dim=1).sum(1)


def masked_element(prefix: Tensor, tokens: Tensor) -> Tensor:
    """One element that counts for nothing in place of none."""
    filler = torch.zeros_like(tokens[:, :1])
    return torch.cat([filler, tokens], dim=1).sum(1)


ALTERNATIVES = (
    Alternative("leave-it-out", "fix", left_out),
    Alternative("one-masked-element", "fix", masked_element),
)


def build() -> Example:
    return Example(with_empty_prefix, (torch.randn(2, 0, 3), torch.randn(2, 4, 3)))


def trigger(module: Module) -> bool:
    """A dimension of size zero."""
    return any("0" in shape.dims for each in module.views() for shape in each.result)
