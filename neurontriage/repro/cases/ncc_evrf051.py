"""Quantisation through F8E4M3FN, which only Trainium3 and later have."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Tolerance, page
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF051"
TITLE = "a matrix product of values quantised to F8E4M3FN"
NEEDS = Needs("neuronx-cc", targets=("trn1", "trn1n", "inf2", "trn2"))
ORIGIN = page("EVRF051")


def quantised(x: Tensor, weight: Tensor) -> Tensor:
    return x @ weight.to(torch.float8_e4m3fn).to(x.dtype)


def rounded(x: Tensor, weight: Tensor) -> Tensor:
    """Rounds to the same eight-bit grid in float32: three mantissa bits, exponents from -6; beyond 448 it is NaN."""
    exponent = torch.floor(torch.log2(weight.abs().clamp_min(2.0**-6)))
    step = torch.pow(2.0, exponent - 3)
    value = torch.round(weight / step) * step
    return x @ torch.where(value.abs() <= 448.0, value, torch.full_like(value, float("nan")))


def unquantised(x: Tensor, weight: Tensor) -> Tensor:
    return x @ weight.to(torch.bfloat16).to(x.dtype)


ALTERNATIVES = (
    Alternative(
        "convert-by-flag",
        "semantics-changing",
        quantised,
        flags=("--experimental-unsafe-fp8e4m3fn-as-fp8e4m3",),
        note="documented; another grid of eight-bit numbers",
        source=ORIGIN.source,
    ),
    Alternative("round-in-float32", "fix", rounded, note="the numbers of the eight-bit type without the type"),
    Alternative(
        "bfloat16-weights",
        "semantics-changing",
        unquantised,
        note="other, finer weights",
        tolerance=Tolerance(0.07, 0.05),
    ),
)


def build() -> Example:
    return Example(quantised, (torch.randn(3, 8), torch.randn(8, 4)))


def trigger(module: Module) -> bool:
    return not module.dtypes.isdisjoint({"f8e4m3fn"})
