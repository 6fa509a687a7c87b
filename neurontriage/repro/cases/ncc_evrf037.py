"""QuantizeMX with two operands instead of one."""

from __future__ import annotations

import json

from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.mx import QUANTIZE, RIGHT, mx_call, quantized

ID = "NCC-EVRF037"
TITLE = "QuantizeMX with two operands instead of one"
NEEDS = Needs("neuronx-cc", entry="NCC-QuantizeMX", targets=("trn3",), compile_only=True)
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF037.html"
)
RIGHT_CONFIG = json.dumps(RIGHT)


def wrong(x: Tensor) -> Tensor:
    return mx_call([x, x], QUANTIZE, [([4, 16], torch.uint32), ([4, 2], torch.uint8)], RIGHT_CONFIG)


def right(x: Tensor) -> Tensor:
    return quantized(x)


ALTERNATIVES = (Alternative("as-documented", "fix", right),)


def build() -> Example:
    return Example(wrong, (torch.randn(4, 64, dtype=torch.bfloat16),))


def trigger(hlo: str) -> bool:
    return QUANTIZE in hlo
