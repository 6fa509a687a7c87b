"""block-scaled product with two operands instead of four."""

from __future__ import annotations

from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.mx import PRODUCT, mx_call, quantized, scaled_product

ID = "NCC-EVRF043"
TITLE = "block-scaled product with two operands instead of four"
NEEDS = Needs("neuronx-cc", entry="NCC-ScaledMatmul", targets=("trn3",), compile_only=True)
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF043.html"
)


def wrong(x: Tensor) -> Tensor:
    return mx_call([quantized(x)[0], quantized(x)[0]], PRODUCT, [([4, 4], torch.float32)], "{}")


def right(x: Tensor) -> Tensor:
    return scaled_product(quantized(x), quantized(x))


ALTERNATIVES = (Alternative("as-documented", "fix", right),)


def build() -> Example:
    return Example(wrong, (torch.randn(4, 64, dtype=torch.bfloat16),))


def trigger(hlo: str) -> bool:
    return PRODUCT in hlo
