"""The triangular solve of NCC-EVRF001 under its other code, with solutions by an inverse."""

from __future__ import annotations

from neurontriage.repro.blocks import inverse_then_product
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.conditions import FINITE, WIDE
from neurontriage.repro.hlo import has
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EUOC002"
TITLE = "an unsupported operator: triangular_solve"
NEEDS = Needs("neuronx-cc", entry="NCC-EVRF001")
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EUOC002.html"
)


def solve(b: Tensor, a: Tensor) -> Tensor:
    return torch.triangular_solve(b, a, upper=True)[0]


def newton_schulz(b: Tensor, a: Tensor) -> Tensor:
    """Newton-Schulz iteration: matrix products only; converges quadratically for any regular matrix."""
    a = a.triu()
    identity = torch.eye(a.shape[0], dtype=a.dtype, device=a.device)
    found = a.T / (a.abs().sum(0).max() * a.abs().sum(1).max())
    for _ in range(30):
        found = found @ (2 * identity - a @ found)
    return found @ b


def gauss_jordan(b: Tensor, a: Tensor) -> Tensor:
    """Elimination without pivots, for matrices that are dominated by their diagonal."""
    a, size = a.triu(), a.shape[0]
    identity = torch.eye(size, dtype=a.dtype, device=a.device)
    both = torch.cat([a, identity], 1)
    for row in range(size):
        pivot = both[row] / both[row, row]
        both = both - (both[:, row] - identity[:, row])[:, None] * pivot
    return both[:, size:] @ b


def linalg_solve(b: Tensor, a: Tensor) -> Tensor:
    return torch.linalg.solve(a.triu(), b)


def on_cpu(b: Tensor, a: Tensor) -> Tensor:
    return solve(b.cpu(), a.cpu()).to(b.device)


ALTERNATIVES = (
    Alternative("newton-schulz", "fix", newton_schulz, requires=(FINITE, WIDE)),
    Alternative(
        "gauss-jordan", "fix", gauss_jordan, note="no pivots needed: the matrix is triangular", requires=(FINITE,)
    ),
    Alternative(
        "inverse-then-product",
        "fix",
        inverse_then_product,
        works=False,
        note="documented; torch-xla lowers inverse to Qr custom calls and a triangular-solve again",
    ),
    Alternative(
        "linalg-solve",
        "fix",
        linalg_solve,
        works=False,
        note="an obvious try; has no lowering of its own either",
    ),
    Alternative("solve-on-cpu", "fallback", on_cpu, requires=(WIDE,)),
)


def build() -> Example:
    return Example(solve, (torch.randn(4, 2), torch.triu(torch.rand(4, 4)) + 2 * torch.eye(4)))


def trigger(hlo: str) -> bool:
    return has(hlo, "triangular-solve") or 'custom_call_target="Qr"' in hlo
