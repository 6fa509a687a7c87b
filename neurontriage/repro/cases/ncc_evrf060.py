"""index_add on integers above 2^24."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.blocks import one_hot
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.settings import NO_DOWNCAST, integer_flags

ID = "NCC-EVRF060"
TITLE = "index_add on 64-bit integers"
NEEDS = Needs("neuronx-cc", flags=NO_DOWNCAST)
ORIGIN = page("EVRF060", since="2.27")


def integer_add(table: Tensor, index: Tensor, source: Tensor) -> Tensor:
    return table.index_add(0, index, source)


def compared(table: Tensor, index: Tensor, source: Tensor) -> Tensor:
    hits = one_hot(index, table.shape[0], source.dtype)
    hits = hits.reshape(*hits.shape, *[1] * (source.dim() - 1))
    return table + (hits * source[:, None]).sum(0, dtype=table.dtype)


def through_float(table: Tensor, index: Tensor, source: Tensor) -> Tensor:
    return table.to(torch.float32).index_add(0, index, source.to(torch.float32)).to(table.dtype)


def on_cpu(table: Tensor, index: Tensor, source: Tensor) -> Tensor:
    return integer_add(table.cpu(), index.cpu(), source.cpu()).to(table.device)


ALTERNATIVES = (
    *integer_flags("scatter", integer_add, exact=24),
    Alternative("compare-and-sum", "fix", compared, note="exact; grows with the table"),
    Alternative(
        "cast-to-float",
        "fix",
        through_float,
        works=False,
        note="documented; float32 holds integers up to 2^24 only, and these sums are larger",
    ),
    Alternative("add-on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    source = torch.randint(2**24, 2**25, (5,))
    return Example(integer_add, (torch.zeros(4, dtype=torch.int64), torch.tensor([0, 1, 1, 3, 3]), source))


def trigger(module: Module) -> bool:
    return any(each.dtype in ("s32", "s64", "u32", "u64") for each in module.views("scatter"))
