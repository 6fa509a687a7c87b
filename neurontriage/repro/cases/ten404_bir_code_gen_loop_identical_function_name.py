"""One NKI kernel that a graph calls several times."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.kernels import NEW, OLD, silu
from neurontriage.repro.lazy import Tensor, torch

ID = "TEN404-BirCodeGenLoop-IdenticalFunctionName"
TITLE = "the same NKI kernel twice in one graph"
NEEDS = Needs("neuronx-cc", nki=(NEW, OLD))
ORIGIN = Origin("analogue", "https://github.com/aws-neuron/aws-neuron-sdk/issues/1112")


def called_twice(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return silu(x), silu(y)


def called_once(x: Tensor, y: Tensor) -> Tensor:
    return silu(torch.cat([x, y])).split(x.shape[0])


def plain_operators(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return x * torch.sigmoid(x), y * torch.sigmoid(y)


ALTERNATIVES = (
    Alternative("plain-operators", "fallback", plain_operators, note="what the kernel computes: x * sigmoid(x)"),
    Alternative("one-call-for-both", "fix", called_once, note="one launch over the rows of both"),
)


def build() -> Example:
    return Example(called_twice, (torch.randn(4, 8), torch.randn(4, 8)), reference=plain_operators)


def trigger(module: Module) -> bool:
    return module.custom_calls.count("AwsNeuronCustomNativeKernel") > 1
