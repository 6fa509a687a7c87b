"""QuantizeMX with a scale method other than EMAX."""

from __future__ import annotations

from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.mx import QUANTIZE, quantized

ID = "NCC-EVRF040"
TITLE = "QuantizeMX with a scale method other than EMAX"
NEEDS = Needs("neuronx-cc", entry="NCC-QuantizeMX", targets=("trn3",), compile_only=True)
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF040.html"
)


def wrong(x: Tensor) -> Tensor:
    return quantized(x, scale_method="MEAN")


def right(x: Tensor) -> Tensor:
    return quantized(x)


ALTERNATIVES = (Alternative("as-documented", "fix", right),)


def build() -> Example:
    return Example(wrong, (torch.randn(4, 64, dtype=torch.bfloat16),))


def trigger(hlo: str) -> bool:
    return QUANTIZE in hlo
