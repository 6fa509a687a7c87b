"""An arithmetic right shift of 16-bit integers."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF022"
TITLE = "bitwise_right_shift of int16"
NEEDS = Needs("neuronx-cc")
ORIGIN = page("EVRF022")


def short_shift(x: Tensor, by: Tensor) -> Tensor:
    return torch.bitwise_right_shift(x, by)


def widened(x: Tensor, by: Tensor) -> Tensor:
    return torch.bitwise_right_shift(x.to(torch.int32), by).to(x.dtype)


def floor_division(x: Tensor, by: Tensor) -> Tensor:
    """torch.exp2 has no lowering; a power of two has."""
    scale = torch.pow(2.0, by.to(torch.float32))
    return torch.floor(x.to(torch.float32) / scale).to(x.dtype)


def shift_operator(x: Tensor, by: Tensor) -> Tensor:
    return x >> by


ALTERNATIVES = (
    Alternative("cast-to-int32", "fix", widened, note="documented"),
    Alternative("floor-division", "fix", floor_division),
    Alternative(
        "shift-operator",
        "fix",
        shift_operator,
        works=False,
        note="torch-xla 2.9 lowers >> to a division by an integer power and gives wrong numbers",
    ),
)


def build() -> Example:
    values = torch.tensor([8, -8, -7, 1000, -1, 5], dtype=torch.int16)
    return Example(short_shift, (values, torch.tensor([1, 1, 1, 3, 2, 0], dtype=torch.int16)))


def trigger(module: Module) -> bool:
    return any(each.dtype not in ("s32", "u32", "f32") for each in module.views("shift-right-arithmetic"))
