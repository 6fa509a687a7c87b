"""A scatter whose constant indices run past the end of the table."""

from __future__ import annotations

from neurontriage.repro.blocks import counted
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.hlo import has, operations
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF031"
TITLE = "scatter with positions 0..9 into a table of 3 rows"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF031.html"
)


def beyond_the_table(table: Tensor, updates: Tensor) -> Tensor:
    """XLA drops updates that are out of bounds; torch on CPU refuses them."""
    rows = counted(updates, updates.shape[0]).to(torch.int64)[:, None].expand(-1, table.shape[1])
    return table.scatter(0, rows, updates)


def clipped(table: Tensor, updates: Tensor) -> Tensor:
    """As many positions as there are rows in both."""
    rows = min(table.shape[0], updates.shape[0])
    places = torch.arange(rows, device=table.device)[:, None].expand(-1, table.shape[1])
    return table.scatter(0, places, updates[:rows])


def sliced(table: Tensor, updates: Tensor) -> Tensor:
    """Consecutive positions need no scatter."""
    return torch.cat([updates[: table.shape[0]], table[updates.shape[0] :]])


ALTERNATIVES = (
    Alternative("positions-of-the-table", "fix", clipped, note="documented"),
    Alternative("slice-instead-of-scatter", "fix", sliced),
)


def build() -> Example:
    return Example(beyond_the_table, (torch.randn(3, 4), torch.randn(10, 4)), reference=clipped)


def trigger(hlo: str) -> bool:
    """More updates than rows, at places that an iota counts."""
    shapes = [operation.split("|") for operation in operations(hlo, "scatter")]
    longer = any(rest.count("f32[10,") and shape.startswith("f32[3,") for shape, rest in shapes)
    return longer and has(hlo, "iota")
