"""A loop of an NKI kernel that stores to one SBUF tensor several times ("Can only handle single store")."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.kernels import OLD, sum_of_tiles
from neurontriage.repro.lazy import Tensor, torch

ID = "TEN404-NeuronInstComb"
TITLE = "an NKI kernel that accumulates with += in an affine_range loop"
NEEDS = Needs("neuronx-cc", nki=(OLD,))
ORIGIN = Origin("analogue", "https://github.com/aws-neuron/aws-neuron-sdk/issues/1056")


def accumulated(x: Tensor) -> Tensor:
    return sum_of_tiles(x, carried=False)


def carried(x: Tensor) -> Tensor:
    return sum_of_tiles(x, carried=True)


def plain_operators(x: Tensor) -> Tensor:
    return x.sum(0)


def on_cpu(x: Tensor) -> Tensor:
    return plain_operators(x.cpu()).to(x.device)


ALTERNATIVES = (
    Alternative("sequential-range", "fix", carried, note="a loop that may carry a value"),
    Alternative("plain-operators", "fix", plain_operators),
    Alternative("on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(accumulated, (torch.randn(6, 4, 5),), reference=plain_operators)


def trigger(module: Module) -> bool:
    return "AwsNeuronCustomNativeKernel" in module.custom_calls
