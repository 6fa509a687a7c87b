"""An all-reduce of integers."""

from __future__ import annotations

from neurontriage.repro.blocks import all_reduced, halves
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.conditions import below
from neurontriage.repro.hlo import result_types
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF061"
TITLE = "all-reduce of 64-bit integers"
NEEDS = Needs("neuronx-cc", flags=("--implicit-integer-downcast=none",))
ORIGIN = Origin(
    "documented",
    "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF061.html",
    since="2.27",
)


def integer_sum(x: Tensor) -> Tensor:
    return all_reduced(x)


def through_float(x: Tensor) -> Tensor:
    return all_reduced(x.to(torch.float32)).to(x.dtype)


def in_halves(x: Tensor) -> Tensor:
    """Low and high 20 bits travel as float32, exact for groups of up to 16 ranks."""
    parts = torch.stack(halves(x, 20)).to(torch.float32)
    low, high = all_reduced(parts).to(x.dtype).unbind(0)
    return low + high * 2**20


DOWNCAST = "--implicit-integer-downcast"

ALTERNATIVES = (
    Alternative(
        "allow-the-downcast",
        "semantics-changing",
        integer_sum,
        flags=(f"{DOWNCAST}=all_reduce",),
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
    return Example(integer_sum, (torch.randint(2**25, 2**35, (6,)) | 1,), reference=torch.clone)


def trigger(hlo: str) -> bool:
    return any(kind in ("s32", "s64", "u32", "u64") for kind in result_types(hlo, "all-reduce"))
