"""A general inverse: it lowers to Qr and Householder custom calls and a triangular solve."""

from __future__ import annotations

from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.hlo import has
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EUOC002"
TITLE = "torch.inverse needs operators that the compiler does not have"
NEEDS = Needs("neuronx-cc", entry="NCC-EVRF001")
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EUOC002.html"
)


def inverse(a: Tensor) -> Tensor:
    return torch.inverse(a)


def newton_schulz(a: Tensor) -> Tensor:
    """Newton-Schulz iteration: matrix products only; converges quadratically for any regular matrix."""
    identity = torch.eye(a.shape[0], dtype=a.dtype, device=a.device)
    found = a.T / (a.abs().sum(0).max() * a.abs().sum(1).max())
    for _ in range(20):
        found = found @ (2 * identity - a @ found)
    return found


def gauss_jordan(a: Tensor) -> Tensor:
    """Elimination without pivots, for matrices that are dominated by their diagonal."""
    size = a.shape[0]
    identity = torch.eye(size, dtype=a.dtype, device=a.device)
    both = torch.cat([a, identity], 1)
    for row in range(size):
        pivot = both[row] / both[row, row]
        both = both - (both[:, row] - identity[:, row])[:, None] * pivot
    return both[:, size:]


def linalg_solve(a: Tensor) -> Tensor:
    return torch.linalg.solve(a, torch.eye(a.shape[0], dtype=a.dtype, device=a.device))


def on_cpu(a: Tensor) -> Tensor:
    return torch.inverse(a.cpu()).to(a.device)


ALTERNATIVES = (
    Alternative("newton-schulz", "fix", newton_schulz),
    Alternative("gauss-jordan", "fix", gauss_jordan, note="no pivoting: needs a dominant diagonal"),
    Alternative(
        "linalg-solve",
        "fix",
        linalg_solve,
        works=False,
        note="an obvious try; has no lowering of its own either",
    ),
    Alternative("inverse-on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(inverse, (torch.rand(4, 4) + 4 * torch.eye(4),))


def trigger(hlo: str) -> bool:
    return has(hlo, "triangular-solve") or 'custom_call_target="Qr"' in hlo
