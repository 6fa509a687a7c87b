"""scatter_reduce on integers."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.blocks import one_hot
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.conditions import sums_below
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF016"
TITLE = "scatter_reduce with a sum on int32"
NEEDS = Needs("neuronx-cc")
ORIGIN = page("EVRF016")


def integer_scatter(table: Tensor, index: Tensor, source: Tensor) -> Tensor:
    return table.scatter_reduce(1, index, source, reduce="sum")


def float_scatter(table: Tensor, index: Tensor, source: Tensor) -> Tensor:
    total = table.to(torch.float32).scatter_reduce(1, index, source.to(torch.float32), reduce="sum")
    return total.to(table.dtype)


def compared(table: Tensor, index: Tensor, source: Tensor) -> Tensor:
    """Adds each value where its index equals the place: products and sums of integers, no scatter."""
    rows, columns = index.shape
    hits = one_hot(index, table.shape[1], source.dtype)
    added = (hits * source[:rows, :columns, None]).sum(1, dtype=table.dtype)
    return torch.cat([table[:rows] + added, table[rows:]])


def on_cpu(table: Tensor, index: Tensor, source: Tensor) -> Tensor:
    return integer_scatter(table.cpu(), index.cpu(), source.cpu()).to(table.device)


ALTERNATIVES = (
    Alternative("compare-and-sum", "fix", compared, note="exact for any integer; grows with the table"),
    Alternative("float32", "fix", float_scatter, note="documented", requires=(sums_below(24),)),
    Alternative("scatter-on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    index = torch.tensor([[0, 1, 1, 3], [2, 2, 2, 0]])
    source = torch.randint(-1000, 1000, (2, 4), dtype=torch.int32)
    return Example(integer_scatter, (torch.zeros(2, 5, dtype=torch.int32), index, source))


def trigger(module: Module) -> bool:
    return any(each.dtype in ("s8", "s16", "s32", "s64", "pred") for each in module.views("scatter"))
