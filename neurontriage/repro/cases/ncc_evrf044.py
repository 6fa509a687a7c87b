"""block-scaled product with a left operand that is not packed."""

from __future__ import annotations

from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.mx import PRODUCT, quantized, scaled_product

ID = "NCC-EVRF044"
TITLE = "block-scaled product with a left operand that is not packed"
NEEDS = Needs("neuronx-cc", entry="NCC-ScaledMatmul", targets=("trn3",), compile_only=True)
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF044.html"
)


def wrong(x: Tensor) -> Tensor:
    return scaled_product((x, quantized(x)[1]), quantized(x))


def right(x: Tensor) -> Tensor:
    return scaled_product(quantized(x), quantized(x))


ALTERNATIVES = (Alternative("as-documented", "fix", right),)


def build() -> Example:
    return Example(wrong, (torch.randn(4, 64, dtype=torch.bfloat16),))


def trigger(hlo: str) -> bool:
    return PRODUCT in hlo
