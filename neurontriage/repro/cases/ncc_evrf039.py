"""QuantizeMX with a block size other than 32."""

from __future__ import annotations

from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.mx import QUANTIZE, quantized

ID = "NCC-EVRF039"
TITLE = "QuantizeMX with a block size other than 32"
NEEDS = Needs("neuronx-cc", entry="NCC-QuantizeMX", targets=("trn3",), compile_only=True)
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF039.html"
)


def wrong(x: Tensor) -> Tensor:
    return quantized(x, block_size=16)


def right(x: Tensor) -> Tensor:
    return quantized(x)


ALTERNATIVES = (Alternative("as-documented", "fix", right),)


def build() -> Example:
    return Example(wrong, (torch.randn(4, 64, dtype=torch.bfloat16),))


def trigger(hlo: str) -> bool:
    return QUANTIZE in hlo
