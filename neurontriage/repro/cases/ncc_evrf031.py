"""A scatter whose constant indices run past the end of the table."""

from __future__ import annotations

from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.hlo import operations
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF031"
TITLE = "scatter with positions 0..9 into a table of 3 rows"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF031.html"
)


def beyond_the_table(table: Tensor, updates: Tensor) -> Tensor:
    """XLA drops updates that are out of bounds; torch on CPU refuses them."""
    return table.scatter(0, torch.arange(updates.shape[0], device=table.device), updates)


def clipped(table: Tensor, updates: Tensor) -> Tensor:
    """As many positions as the table has rows."""
    rows = table.shape[0]
    return table.scatter(0, torch.arange(rows, device=table.device), updates[:rows])


def sliced(table: Tensor, updates: Tensor) -> Tensor:
    """Consecutive positions need no scatter."""
    return torch.cat([updates[: table.shape[0]], table[updates.shape[0] :]])


ALTERNATIVES = (
    Alternative("positions-of-the-table", "fix", clipped, note="documented"),
    Alternative("slice-instead-of-scatter", "fix", sliced),
)


def build() -> Example:
    return Example(beyond_the_table, (torch.randn(3), torch.randn(10)), reference=clipped)


def trigger(hlo: str) -> bool:
    """More updates than rows."""
    shapes = [operation.split("|") for operation in operations(hlo, "scatter")]
    return any("f32[10]" in rest and shape.startswith("f32[3]") for shape, rest in shapes)
