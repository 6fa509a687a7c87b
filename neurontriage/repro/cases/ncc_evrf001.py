"""`torch.triangular_solve` has no implementation in neuronx-cc."""

from __future__ import annotations

from neurontriage.repro.blocks import doubled_inverse, inverse_then_product, substitution
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.conditions import FINITE, WIDE
from neurontriage.repro.hlo import has
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF001"
TITLE = "triangular_solve is an unsupported operator"
NEEDS = Needs("neuronx-cc", subject=("triangular-solve", "triangular_solve"))
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF001.html"
)


def solve(b: Tensor, a: Tensor) -> Tensor:
    return torch.triangular_solve(b, a, upper=True)[0]


def on_cpu(b: Tensor, a: Tensor) -> Tensor:
    return solve(b.cpu(), a.cpu()).to(b.device)


ALTERNATIVES = (
    Alternative(
        "doubled-inverse", "fix", doubled_inverse, requires=(FINITE,), note="matrix products only, log2(n) of them"
    ),
    Alternative("back-substitution", "fix", substitution, note="one step per row: for small matrices"),
    Alternative(
        "inverse-then-product",
        "fix",
        inverse_then_product,
        works=False,
        note="documented; torch-xla lowers inverse to Qr custom calls and a triangular-solve again",
    ),
    Alternative("solve-on-cpu", "fallback", on_cpu, requires=(WIDE,)),
)


def build() -> Example:
    return Example(solve, (torch.randn(4, 2), torch.triu(torch.rand(4, 4)) + 2 * torch.eye(4)))


def trigger(hlo: str) -> bool:
    return has(hlo, "triangular-solve")
