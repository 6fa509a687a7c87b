"""`torch.triangular_solve` has no implementation in neuronx-cc, which says so under two codes."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.blocks import doubled_inverse, inverse_then_product, substitution
from neurontriage.repro.case import Alternative, GraphCase, Needs, page
from neurontriage.repro.conditions import FINITE, WIDE
from neurontriage.repro.lazy import Tensor, torch


def system() -> tuple[Tensor, Tensor]:
    return torch.randn(4, 2), torch.triu(torch.rand(4, 4)) + 2 * torch.eye(4)


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


def solves(module: Module) -> bool:
    return module.has("triangular-solve") or "Qr" in module.custom_calls


INVERSE = Alternative(
    "inverse-then-product",
    "fix",
    inverse_then_product,
    works=False,
    note="documented; torch-xla lowers inverse to Qr custom calls and a triangular-solve again",
)
ON_CPU = Alternative("solve-on-cpu", "fallback", on_cpu, requires=(WIDE,))
PRODUCTS = (
    Alternative(
        "doubled-inverse", "fix", doubled_inverse, requires=(FINITE,), note="matrix products only, log2(n) of them"
    ),
    Alternative("back-substitution", "fix", substitution, note="one step per row: for small matrices"),
)
INVERSES = (
    Alternative("newton-schulz", "fix", newton_schulz, requires=(FINITE, WIDE)),
    Alternative(
        "gauss-jordan", "fix", gauss_jordan, note="no pivots needed: the matrix is triangular", requires=(FINITE,)
    ),
    Alternative(
        "linalg-solve", "fix", linalg_solve, works=False, note="an obvious try; has no lowering of its own either"
    ),
)

NAMED = Needs("neuronx-cc", subject=("triangular-solve", "triangular_solve"))
TITLES = "triangular_solve is an unsupported operator", "an unsupported operator: triangular_solve"
ALIAS, TRIES = Needs("neuronx-cc", entry="NCC-EVRF001"), ((*PRODUCTS, INVERSE, ON_CPU), (*INVERSES, INVERSE, ON_CPU))
CASES = (
    GraphCase("NCC-EVRF001", TITLES[0], NAMED, page("EVRF001"), TRIES[0], solve, system, solves),
    GraphCase("NCC-EUOC002", TITLES[1], ALIAS, page("EUOC002"), TRIES[1], solve, system, solves),
)
