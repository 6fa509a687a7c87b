"""block-scaled product with a backend_config that is no JSON."""

from __future__ import annotations

from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.mx import PRODUCT, quantized, scaled_product

ID = "NCC-EVRF049"
TITLE = "block-scaled product with a backend_config that is no JSON"
NEEDS = Needs("neuronx-cc", entry="NCC-ScaledMatmul", targets=("trn3",), compile_only=True)
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF049.html"
)


def wrong(x: Tensor) -> Tensor:
    return scaled_product(quantized(x), quantized(x), config="{oops")


def right(x: Tensor) -> Tensor:
    return scaled_product(quantized(x), quantized(x))


ALTERNATIVES = (Alternative("as-documented", "fix", right),)


def build() -> Example:
    return Example(wrong, (torch.randn(4, 64, dtype=torch.bfloat16),))


def trigger(hlo: str) -> bool:
    return PRODUCT in hlo
