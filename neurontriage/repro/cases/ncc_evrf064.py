"""An instruction whose result shape contradicts its operands."""

from __future__ import annotations

from neurontriage.hlo.module import Module, Proto
from neurontriage.repro.blocks import edited_graph
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF064"
TITLE = "a negation of four numbers that is declared to have five"
NEEDS = Needs("neuronx-cc", compile_only=True)
ORIGIN = page("EVRF064")


def negated(x: Tensor) -> Tensor:
    return -x


def illegal(x: Tensor) -> Tensor:
    """No framework writes this, so the shape is edited in the serialised module."""
    return edited_graph(negated, "negate", widen, x)


def widen(instruction: Proto) -> None:
    instruction.shape.dimensions[0] = 5


ALTERNATIVES = (
    Alternative("legal-shape", "fix", negated),
    Alternative(
        "verifier-off",
        "semantics-changing",
        illegal,
        flags=("--internal-hlo2tensorizer-options=--verify-hlo=false",),
        note="only to get further; an illegal graph can fail later or compute wrong numbers",
        source="https://awsdocs-neuron.readthedocs-hosted.com/en/latest/tools/neuron-agentic-development/"
        "developer_guides/neuron-framework-autoport.html",
    ),
)


def build() -> Example:
    return Example(illegal, (torch.randn(4),))


def trigger(module: Module) -> bool:
    return any(each.result[0].sizes == (5,) for each in module.views("negate"))
