"""QuantizeMX with no dtype in the backend_config."""

from __future__ import annotations

from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.mx import QUANTIZE, quantized

ID = "NCC-EVRF042"
TITLE = "QuantizeMX with no dtype in the backend_config"
NEEDS = Needs("neuronx-cc", entry="NCC-QuantizeMX", targets=("trn3",), compile_only=True)
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF042.html"
)


def wrong(x: Tensor) -> Tensor:
    return quantized(x, config='{"dim": -1}')


def right(x: Tensor) -> Tensor:
    return quantized(x)


ALTERNATIVES = (Alternative("as-documented", "fix", right),)


def build() -> Example:
    return Example(wrong, (torch.randn(4, 64, dtype=torch.bfloat16),))


def trigger(hlo: str) -> bool:
    return QUANTIZE in hlo
