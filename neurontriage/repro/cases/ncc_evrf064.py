"""An instruction whose result shape contradicts its operands."""

from __future__ import annotations

from neurontriage.repro.blocks import edited_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.hlo import operations
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.wire import SHAPE, encode, rewrite

ID = "NCC-EVRF064"
TITLE = "a negation of four numbers that is declared to have five"
NEEDS = Needs("neuronx-cc", compile_only=True)
ORIGIN = Origin(
    "documented", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF064.html"
)
DIMENSIONS = 3


def negated(x: Tensor) -> Tensor:
    return -x


def illegal(x: Tensor) -> Tensor:
    """No framework writes this, so the shape is edited in the serialised module."""
    return edited_graph(negated, "negate", widen, x)


def widen(instruction: bytes) -> bytes:
    four, five = (encode(DIMENSIONS, 2, bytes([size])) for size in (4, 5))
    return rewrite(instruction, SHAPE, lambda shape: shape.replace(four, five))


ALTERNATIVES = (Alternative("legal-shape", "fix", negated),)


def build() -> Example:
    return Example(illegal, (torch.randn(4),))


def trigger(hlo: str) -> bool:
    return any(operation.startswith("f32[5]") for operation in operations(hlo, "negate"))
