"""A gather whose constant indices run past the end of the table."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.blocks import counted
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF056"
TITLE = "position ids 0..9 into a position embedding of 3 rows"
NEEDS = Needs("neuronx-cc")
ORIGIN = page("EVRF056")
LENGTH = 10


def too_long(table: Tensor) -> Tensor:
    """XLA reads the last row for positions that are out of bounds; torch on CPU refuses them."""
    return torch.nn.functional.embedding(counted(table, LENGTH), table)


def clamped(table: Tensor) -> Tensor:
    """The same rows, asked for in bounds."""
    positions = torch.arange(LENGTH, device=table.device).clamp(max=table.shape[0] - 1)
    return torch.nn.functional.embedding(positions, table)


def clamped_iota(table: Tensor) -> Tensor:
    return torch.nn.functional.embedding(counted(table, LENGTH).clamp(max=table.shape[0] - 1), table)


def repeated_last(table: Tensor) -> Tensor:
    """The same rows without a gather."""
    return torch.cat([table, table[-1:].expand(LENGTH - table.shape[0], -1)])


def table_length(table: Tensor) -> Tensor:
    return torch.nn.functional.embedding(torch.arange(table.shape[0], device=table.device), table)


ALTERNATIVES = (
    Alternative("repeat-last-row", "fix", repeated_last),
    Alternative(
        "clamp-positions",
        "fix",
        clamped_iota,
        works=False,
        note="an obvious try; right numbers, yet an iota still feeds the same gather",
    ),
    Alternative("length-of-the-table", "semantics-changing", table_length, note="documented; a shorter sequence"),
)


def build() -> Example:
    return Example(too_long, (torch.randn(3, 4),), reference=clamped)


def trigger(module: Module) -> bool:
    """A gather of more rows than the table has, at places that an iota counts."""
    longer = any(each.result[0].sizes[:1] == (LENGTH,) for each in module.views("gather"))
    return longer and module.has("iota")
