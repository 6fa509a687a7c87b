"""One NKI kernel that a graph calls several times."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.blocks import custom_call
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "TEN404-BirCodeGenLoop-IdenticalFunctionName"
TITLE = "the same NKI kernel twice in one graph"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin("analogue", "https://github.com/aws-neuron/aws-neuron-sdk/issues/1112")
TARGET = "AwsNeuronCustomNativeKernel"


def called_twice(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return custom_call(x, TARGET), custom_call(y, TARGET)


def called_once(x: Tensor, y: Tensor) -> Tensor:
    return custom_call(torch.cat([x, y]), TARGET).split(x.shape[0])


def plain_operators(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return x * torch.sigmoid(x), y * torch.sigmoid(y)


ALTERNATIVES = (
    Alternative("plain-operators", "fallback", plain_operators, note="the kernel here stands for x * sigmoid(x)"),
    Alternative(
        "one-call-for-both",
        "fix",
        called_once,
        works=False,
        note="only a NeuronCore runs the kernel, so the CPU client cannot check it",
    ),
)


def build() -> Example:
    return Example(called_twice, (torch.randn(4), torch.randn(4)), reference=plain_operators)


def trigger(module: Module) -> bool:
    return module.custom_calls.count(TARGET) > 1
