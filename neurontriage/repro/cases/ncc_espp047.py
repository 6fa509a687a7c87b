"""An 8-bit float type that the target cannot compute with."""

from __future__ import annotations

from neurontriage.repro.case import Alternative, Example, Needs, Origin, Tolerance
from neurontriage.repro.hlo import uses_type
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-ESPP047"
TITLE = "arithmetic on torch.float8_e4m3fn"
NEEDS = Needs("neuronx-cc", targets=("trn1", "trn1n", "inf2", "trn2"))
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/ESPP047.html"
)
EIGHT_BIT = Tolerance(rtol=2**-4, atol=2**-9)
"""Half a step of a type with three mantissa bits: what the original itself rounds away."""


def eight_bit(x: Tensor) -> Tensor:
    return x.to(torch.float8_e4m3fn).to(torch.float32) * 2


def half(x: Tensor) -> Tensor:
    return x.to(torch.float16).to(torch.float32) * 2


def brain_float(x: Tensor) -> Tensor:
    return x.to(torch.bfloat16).to(torch.float32) * 2


ALTERNATIVES = (
    Alternative("float16", "fix", half, note="documented; finer than eight bits", tolerance=EIGHT_BIT),
    Alternative("bfloat16", "fix", brain_float, tolerance=EIGHT_BIT),
)


def build() -> Example:
    return Example(eight_bit, (torch.randn(16),))


def trigger(hlo: str) -> bool:
    return uses_type(hlo, "f8e4m3fn")
