"""A scatter whose constant indices run past the end of the table."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.blocks import counted
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF031"
TITLE = "scatter with positions 0..9 into a table of 3 rows"
NEEDS = Needs("neuronx-cc")
ORIGIN = page("EVRF031")


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


def trigger(module: Module) -> bool:
    """More updates than rows, at places that an iota counts."""
    pairs = [(each.result[0].sizes, each.operands[-1].sizes) for each in module.views("scatter")]
    return any(updates > table for table, updates in pairs) and module.has("iota")
