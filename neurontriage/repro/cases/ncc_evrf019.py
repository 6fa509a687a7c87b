"""cummax: one reduce-window over values and places at once."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.conditions import NO_NAN
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF019"
TITLE = "torch.cummax lowers to a reduce-window with two inputs"
NEEDS = Needs("neuronx-cc")
ORIGIN = page("EVRF019")


def running_maximum(x: Tensor) -> Tensor:
    return torch.cummax(x, 0)[0]


def by_mask(x: Tensor) -> Tensor:
    """The maximum over a lower triangular mask: one plain reduction."""
    places = torch.arange(x.shape[0], device=x.device)
    seen = (places <= places[:, None]).reshape(x.shape[0], x.shape[0], *[1] * (x.dim() - 1))
    return torch.where(seen, x, torch.full_like(x, float("-inf"))).amax(1)


def by_doubling(x: Tensor) -> Tensor:
    """Compares with the value 1, 2, 4, ... places before: log2(n) maxima."""
    reach = 1
    while reach < x.shape[0]:
        shifted = torch.cat([x[:1].expand(reach, *x.shape[1:]), x[:-reach]])
        x, reach = torch.maximum(x, shifted), reach * 2
    return x


def on_cpu(x: Tensor) -> Tensor:
    return running_maximum(x.cpu()).to(x.device)


ALTERNATIVES = (
    Alternative("masked-maximum", "fix", by_mask, requires=(NO_NAN,), note="quadratic in the length"),
    Alternative("doubling", "fix", by_doubling, requires=(NO_NAN,)),
    Alternative("cummax-on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(running_maximum, (torch.randn(9),))


def trigger(module: Module) -> bool:
    return any(len(each.result) > 1 for each in module.views("reduce-window"))
