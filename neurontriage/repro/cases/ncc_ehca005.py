"""A linear algebra operator that lowers to a custom call of another platform."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.conditions import FINITE, WIDE
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EHCA005"
TITLE = "torch.linalg.inv brings custom calls that only other platforms have"
NEEDS = Needs("neuronx-cc")
ORIGIN = page("EHCA005")


def inverse_of_small(a: Tensor) -> Tensor:
    return torch.linalg.inv(a)


def cofactors(a: Tensor) -> Tensor:
    """The inverse of 3 x 3 matrices by cross products and one determinant."""
    rows = a.unbind(-2)
    crosses = [cross(rows[i - 2], rows[i - 1]) for i in range(3)]
    determinant = (rows[0] * crosses[0]).sum(-1, keepdim=True)
    return (torch.stack(crosses, -2) / determinant[..., None]).transpose(-1, -2)


def cross(a: Tensor, b: Tensor) -> Tensor:
    """torch.linalg.cross itself has no lowering."""
    return a.roll(-1, -1) * b.roll(-2, -1) - a.roll(-2, -1) * b.roll(-1, -1)


def on_cpu(a: Tensor) -> Tensor:
    return torch.linalg.inv(a.cpu()).to(a.device)


ALTERNATIVES = (
    Alternative("closed-form", "fix", cofactors, requires=(FINITE,), note="for 3 x 3 matrices"),
    Alternative("on-cpu", "fallback", on_cpu, requires=(WIDE,)),
)


def build() -> Example:
    return Example(inverse_of_small, (torch.rand(2, 3, 3) + 3 * torch.eye(3),))


def trigger(module: Module) -> bool:
    return any("AwsNeuron" not in target for target in module.custom_calls)
