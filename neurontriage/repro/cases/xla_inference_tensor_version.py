"""`Tensor.unfold` under inference mode with functionalization on."""

from __future__ import annotations

from neurontriage.repro.case import Alternative, Example, Needs
from neurontriage.repro.lazy import Tensor, torch

ID = "XLA-InferenceTensorVersion"
TITLE = "an operator without XLA lowering under torch.inference_mode"
NEEDS = Needs("xla-cpu", environment={"XLA_DISABLE_FUNCTIONALIZATION": "0"})


def under_inference_mode(x: Tensor) -> Tensor:
    with torch.inference_mode():
        return (x * 2).unfold(-1, 2, 2)


def under_no_grad(x: Tensor) -> Tensor:
    with torch.no_grad():
        return (x * 2).unfold(-1, 2, 2)


def lowered_operator(x: Tensor) -> Tensor:
    with torch.inference_mode():
        return (x * 2).reshape(x.shape[0], -1, 2)


ALTERNATIVES = (
    Alternative(
        "lowered-operator", "fix", lowered_operator, note="keeps inference mode; the operator has an XLA lowering"
    ),
    Alternative("no-grad", "fallback", under_no_grad, note="runs, but unfold still leaves the device"),
)


def build() -> Example:
    return Example(under_inference_mode, (torch.randn(3, 8),))


def trigger(hlo: str) -> bool:
    """The failure is raised before any HLO exists."""
    return False
