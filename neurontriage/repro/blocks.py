"""Small graphs and graph questions that several cases share."""

from __future__ import annotations

from neurontriage.repro.hlo import operations
from neurontriage.repro.lazy import _XLAC, Tensor, torch

STEPS = 24
LONG_CHAIN = 16


def accumulated_matmuls(data: Tensor, steps: int = STEPS) -> Tensor:
    """Row by row: outer shapes by unsqueeze, a matmul of one number, and a running sum."""
    total = torch.zeros((), dtype=data.dtype, device=data.device)
    for row in range(steps):
        product = torch.matmul(data[row].unsqueeze(0), data[row].unsqueeze(1))
        total = total + torch.sum(product) * 0.5
    return total


def accumulated_squares(data: Tensor, steps: int = STEPS) -> Tensor:
    """The same running sum with each matmul replaced by a sum of squares; still one step per row."""
    total = torch.zeros((), dtype=data.dtype, device=data.device)
    for row in range(steps):
        total = total + torch.sum(data[row] * data[row]) * 0.5
    return total


def summed_squares(data: Tensor, steps: int = STEPS) -> Tensor:
    """The same number without a loop: one multiply and one reduction."""
    return torch.sum(data[:steps] * data[:steps]) * 0.5


def all_reduced(x: Tensor) -> Tensor:
    """A sum over a group of one rank; torch-xla's public call leaves it out of a graph of one rank."""
    return _XLAC._xla_all_reduce("sum", x, 1.0, [[0]], True)


def chain_of_adds(hlo: str, element: str = "") -> int:
    """How many additions the entry computation holds, at most of one result type."""
    entry = hlo.rsplit("ENTRY ", 1)[-1]
    return sum(operation.startswith(element) for operation in operations(entry, "add"))


def one_hot(index: Tensor, size: int, dtype: Tensor) -> Tensor:
    """Rows of zeros with a one at `index`, made by comparison: no scatter."""
    return (index[..., None] == torch.arange(size, device=index.device)).to(dtype)
