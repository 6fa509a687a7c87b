"""Random bits from a named algorithm instead of the default one."""

from __future__ import annotations

from neurontriage.repro.blocks import edited_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.hlo import operations
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.wire import RNG_ALGORITHM, encode, varint

ID = "NCC-EVRF006"
TITLE = "rng-bit-generator with the Philox algorithm"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF006.html"
)
PHILOX = 2


def well_drawn(x: Tensor, y: Tensor) -> Tensor:
    """One where y is what dropout of x may give: 0 or twice x."""
    return ((y == 0) | ((y - 2 * x).abs() < 1e-5)).to(x.dtype)


def dropout(x: Tensor) -> Tensor:
    return torch.nn.functional.dropout(x, 0.5)


def philox(x: Tensor) -> Tensor:
    """torch-xla expands a named algorithm itself, so it is written into the HLO by hand."""
    algorithm = encode(RNG_ALGORITHM, 0, varint(PHILOX))
    return well_drawn(x, edited_graph(dropout, "rng-bit-generator", lambda found: found + algorithm, x))


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


def trigger(hlo: str) -> bool:
    return any("rng_default" not in operation for operation in operations(hlo, "rng-bit-generator"))
