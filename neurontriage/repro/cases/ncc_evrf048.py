"""block-scaled product with batches of different sizes."""

from __future__ import annotations

import json

from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.mx import PRODUCT, quantized, scaled_product

ID = "NCC-EVRF048"
TITLE = "block-scaled product with batches of different sizes"
NEEDS = Needs("neuronx-cc", entry="NCC-ScaledMatmul", targets=("trn3",), compile_only=True)
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF048.html"
)
FIELDS = {"lhs_batch_dimensions": [0], "rhs_batch_dimensions": [0]}
BATCHES = json.dumps({"scaled_dot_backend_config": FIELDS})


def wrong(x: Tensor) -> Tensor:
    return scaled_product(quantized(x.reshape(2, 2, 64)), quantized(x.reshape(4, 1, 64)), config=BATCHES)


def right(x: Tensor) -> Tensor:
    return scaled_product(quantized(x), quantized(x))


ALTERNATIVES = (Alternative("as-documented", "fix", right),)


def build() -> Example:
    return Example(wrong, (torch.randn(4, 64, dtype=torch.bfloat16),))


def trigger(hlo: str) -> bool:
    return PRODUCT in hlo
