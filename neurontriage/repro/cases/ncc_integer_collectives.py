"""Collectives over integers: an all-reduce and a reduce-scatter."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.blocks import all_reduced, halves
from neurontriage.repro.case import Alternative, Function, GraphCase, Needs, page
from neurontriage.repro.conditions import below
from neurontriage.repro.lazy import Tensor, torch, xla_model
from neurontriage.repro.settings import NO_DOWNCAST, integer_flags

WIDE = ("s32", "s64", "u32", "u64")


def large_numbers() -> tuple[Tensor]:
    return (torch.randint(2**25, 2**35, (6,)) | 1,)


def unchanged(x: Tensor) -> Tensor:
    """What a collective over one rank computes."""
    return x.clone()


def integer_sum(x: Tensor) -> Tensor:
    return all_reduced(x)


def reduce_scattered(x: Tensor) -> Tensor:
    return xla_model.reduce_scatter("sum", x, 1.0, scatter_dim=0, shard_count=1)


def float_sum(x: Tensor) -> Tensor:
    return integer_sum(x.to(torch.float32)).to(x.dtype)


def float_scattered(x: Tensor) -> Tensor:
    return reduce_scattered(x.to(torch.float32)).to(x.dtype)


def sum_in_halves(x: Tensor) -> Tensor:
    """Low and high 20 bits travel as float32, exact for groups of up to 16 ranks."""
    parts = torch.stack(halves(x, 20)).to(torch.float32)
    low, high = all_reduced(parts).to(x.dtype).unbind(0)
    return low + high * 2**20


def scattered_in_halves(x: Tensor) -> Tensor:
    """The same in two reduce-scatters."""
    low, high = (reduce_scattered(part.to(torch.float32)).to(x.dtype) for part in halves(x, 20))
    return low + high * 2**20


def integer_all_reduce(module: Module) -> bool:
    return any(each.dtype in WIDE for each in module.views("all-reduce"))


def integer_reduce_scatter(module: Module) -> bool:
    return any(each.dtype in WIDE for each in module.views("reduce-scatter"))


def _tries(collective: str, failing: Function, in_halves: Function, as_float: Function) -> tuple[Alternative, ...]:
    return (
        *integer_flags(collective, failing, exact=24),
        Alternative("float32-in-halves", "fix", in_halves, note="up to 16 ranks", requires=(below(40),)),
        Alternative(
            "cast-to-float",
            "fix",
            as_float,
            works=False,
            note="documented; float32 holds integers up to 2^24 only, and these values are larger",
        ),
    )


def _case(code: str, collective: str, tries: tuple[Alternative, ...], holds: Function) -> GraphCase:
    needs = Needs("neuronx-cc", flags=NO_DOWNCAST)
    title, failing = f"{collective} of 64-bit integers", tries[0].function
    where = page(code, since="2.27")
    return GraphCase(f"NCC-{code}", title, needs, where, tries, failing, large_numbers, holds, unchanged)


SUM = _tries("all_reduce", integer_sum, sum_in_halves, float_sum)
SCATTER = _tries("reduce_scatter", reduce_scattered, scattered_in_halves, float_scattered)
CASES = (
    _case("EVRF061", "all-reduce", SUM, integer_all_reduce),
    _case("EVRF063", "reduce-scatter", SCATTER, integer_reduce_scatter),
)
