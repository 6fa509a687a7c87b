"""Powers of 64-bit integers."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.settings import NO_DOWNCAST, integer_flags

ID = "NCC-EVRF062"
TITLE = "power of 64-bit integers"
NEEDS = Needs("neuronx-cc", flags=NO_DOWNCAST)
ORIGIN = page("EVRF062", since="2.27")


def integer_power(x: Tensor) -> Tensor:
    return x.pow(3)


def multiplied(x: Tensor) -> Tensor:
    return x * x * x


def narrowed(x: Tensor) -> Tensor:
    return x.to(torch.int32).pow(3).to(x.dtype)


def through_float(x: Tensor) -> Tensor:
    return x.to(torch.float32).pow(3).to(x.dtype)


ALTERNATIVES = (
    *integer_flags("pow", integer_power, exact=31),
    Alternative("repeated-multiplication", "fix", multiplied),
    Alternative(
        "cast-to-int32",
        "fix",
        narrowed,
        works=False,
        note="documented; powers above 2^31 wrap around, as these do",
    ),
    Alternative(
        "cast-to-float",
        "fix",
        through_float,
        works=False,
        note="documented; inexact above 2^24, as these are",
    ),
)


def build() -> Example:
    return Example(integer_power, (torch.randint(2000, 200000, (6,)) | 1,))


def trigger(module: Module) -> bool:
    return any(each.dtype in ("s64", "u64") for each in module.views("power"))
