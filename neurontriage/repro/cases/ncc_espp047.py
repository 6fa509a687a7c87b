"""An 8-bit float type that the target cannot compute with."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-ESPP047"
TITLE = "a network whose input is torch.float8_e4m3fn"
NEEDS = Needs("neuronx-cc", targets=("trn1", "trn1n", "inf2", "trn2"))
ORIGIN = page("ESPP047")


def eight_bit_input(x: Tensor, first: Tensor, second: Tensor) -> Tensor:
    """A small network whose input comes in as torch.float8_e4m3fn."""
    return torch.relu(x.to(torch.float32) @ first) @ second


def half_input(x: Tensor, first: Tensor, second: Tensor) -> Tensor:
    """The input is widened on the host; every number of three mantissa bits is a float16 number too."""
    return eight_bit_input(x.cpu().to(torch.float16).to(first.device), first, second)


def brain_float_input(x: Tensor, first: Tensor, second: Tensor) -> Tensor:
    return eight_bit_input(x.cpu().to(torch.bfloat16).to(first.device), first, second)


ALTERNATIVES = (
    Alternative("float16-input", "fix", half_input, note="documented; exact when converted before it is sent"),
    Alternative("bfloat16-input", "fix", brain_float_input, note="exact too"),
)


def build() -> Example:
    x = torch.randn(2, 10).to(torch.float8_e4m3fn)
    return Example(eight_bit_input, (x, torch.randn(10, 20), torch.randn(20, 10)))


def trigger(module: Module) -> bool:
    return not module.dtypes.isdisjoint({"f8e4m3fn"})
