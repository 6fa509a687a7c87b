"""A reduce-scatter of integers."""

from __future__ import annotations

from neurontriage.repro.blocks import halves
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.conditions import below
from neurontriage.repro.hlo import result_types
from neurontriage.repro.lazy import Tensor, torch, xla_model

ID = "NCC-EVRF063"
TITLE = "reduce-scatter of 64-bit integers"
NEEDS = Needs("neuronx-cc", flags=("--implicit-integer-downcast=none",))
ORIGIN = Origin(
    "documented",
    "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF063.html",
    since="2.27",
)


def reduce_scattered(x: Tensor) -> Tensor:
    return xla_model.reduce_scatter("sum", x, 1.0, scatter_dim=0, shard_count=1)


def through_float(x: Tensor) -> Tensor:
    return reduce_scattered(x.to(torch.float32)).to(x.dtype)


def in_halves(x: Tensor) -> Tensor:
    """Low and high 20 bits travel as float32, exact for groups of up to 16 ranks."""
    low, high = (reduce_scattered(part.to(torch.float32)).to(x.dtype) for part in halves(x, 20))
    return low + high * 2**20


DOWNCAST = "--implicit-integer-downcast"

ALTERNATIVES = (
    Alternative(
        "allow-the-downcast",
        "semantics-changing",
        reduce_scattered,
        flags=(f"{DOWNCAST}=reduce_scatter",),
        unset=(DOWNCAST,),
        note="documented; a warning instead, and lossy arithmetic",
    ),
    Alternative("float32-in-halves", "fix", in_halves, note="up to 16 ranks", requires=(below(40),)),
    Alternative(
        "cast-to-float",
        "fix",
        through_float,
        works=False,
        note="documented; float32 holds integers up to 2^24 only, and these values are larger",
    ),
)


def build() -> Example:
    return Example(reduce_scattered, (torch.randint(2**25, 2**35, (6,)) | 1,), reference=torch.clone)


def trigger(hlo: str) -> bool:
    return any(kind in ("s32", "s64", "u32", "u64") for kind in result_types(hlo, "reduce-scatter"))
