"""Reported for graphs that call an NKI kernel ("max() arg is an empty sequence")."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.kernels import NEW, OLD, silu
from neurontriage.repro.lazy import Tensor, torch

ID = "TEN404-OptimizeNKIKernels"
TITLE = "a graph that calls an NKI kernel"
NEEDS = Needs("neuronx-cc", nki=(NEW, OLD))
ORIGIN = Origin("analogue", "https://github.com/aws-neuron/aws-neuron-sdk/issues/1114")


def kernel_call(x: Tensor) -> Tensor:
    return silu(x) + 1


def plain_operators(x: Tensor) -> Tensor:
    return x * torch.sigmoid(x) + 1


def on_cpu(x: Tensor) -> Tensor:
    return plain_operators(x.cpu()).to(x.device)


ALTERNATIVES = (
    Alternative("plain-operators", "fix", plain_operators, note="what the kernel computes: x * sigmoid(x)"),
    Alternative("on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(kernel_call, (torch.randn(4, 8),), reference=plain_operators)


def trigger(module: Module) -> bool:
    return "AwsNeuronCustomNativeKernel" in module.custom_calls
