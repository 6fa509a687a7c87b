"""Reported for graphs that call an NKI kernel ("max() arg is an empty sequence")."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.blocks import custom_call
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "TEN404-OptimizeNKIKernels"
TITLE = "a graph that calls an NKI kernel through a custom call"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin("analogue", "https://github.com/aws-neuron/aws-neuron-sdk/issues/1114")
TARGET = "AwsNeuronCustomNativeKernel"


def kernel_call(x: Tensor) -> Tensor:
    return custom_call(x, TARGET) + 1


def plain_operators(x: Tensor) -> Tensor:
    return x * torch.sigmoid(x) + 1


def on_cpu(x: Tensor) -> Tensor:
    return plain_operators(x.cpu()).to(x.device)


ALTERNATIVES = (
    Alternative("plain-operators", "fix", plain_operators, note="the kernel here stands for x * sigmoid(x)"),
    Alternative("on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(kernel_call, (torch.randn(4, 8),), reference=plain_operators)


def trigger(module: Module) -> bool:
    return TARGET in module.custom_calls
