"""Random bits from a named algorithm instead of the default one."""

from __future__ import annotations

from neurontriage.hlo.module import Module, Proto
from neurontriage.repro.blocks import edited_graph
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF006"
TITLE = "rng-bit-generator with the Philox algorithm"
NEEDS = Needs("neuronx-cc")
ORIGIN = page("EVRF006")
PHILOX = 2


def well_drawn(x: Tensor, y: Tensor) -> Tensor:
    """One where y is what dropout of x may give: 0 or twice x."""
    return ((y == 0) | ((y - 2 * x).abs() < 1e-5)).to(x.dtype)


def dropout(x: Tensor) -> Tensor:
    return torch.nn.functional.dropout(x, 0.5)


def philox(x: Tensor) -> Tensor:
    """torch-xla expands a named algorithm itself, so it is written into the HLO by hand."""
    return well_drawn(x, edited_graph(dropout, "rng-bit-generator", name_philox, x))


def name_philox(instruction: Proto) -> None:
    instruction.rng_algorithm = PHILOX


def default_algorithm(x: Tensor) -> Tensor:
    return well_drawn(x, dropout(x))


def drawn_on_cpu(x: Tensor) -> Tensor:
    mask = torch.nn.functional.dropout(torch.ones(x.shape), 0.5)
    return well_drawn(x, x * mask.to(x.device))


ALTERNATIVES = (
    Alternative("default-algorithm", "fix", default_algorithm, note="the ordinary random functions"),
    Alternative("draw-on-cpu", "fallback", drawn_on_cpu),
)


def build() -> Example:
    return Example(philox, (torch.randn(16),), reference=torch.ones_like)


def trigger(module: Module) -> bool:
    return any(each.attributes["algorithm"] != "rng_default" for each in module.views("rng-bit-generator"))
