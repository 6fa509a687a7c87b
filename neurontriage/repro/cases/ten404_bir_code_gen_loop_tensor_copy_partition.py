"""The weight gradient of a convolution with a large filter."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Function, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.settings import other_passes

ID = "TEN404-BirCodeGenLoop-TensorCopyPartition"
TITLE = "weight gradient of a 7 x 7 convolution"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin(
    "analogue", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/release-notes/components/compiler.html"
)
FILTER = 7


def weight_gradient(layer: Function, x: Tensor, weight: Tensor) -> Tensor:
    weight = weight.detach().requires_grad_()
    (layer(x, weight) ** 2).sum().backward()
    return weight.grad


def convolution(x: Tensor, weight: Tensor) -> Tensor:
    return weight_gradient(torch.nn.functional.conv2d, x, weight)


def slices_and_matmul(x: Tensor, weight: Tensor) -> Tensor:
    """The filter unrolled: one slice per position, then one matrix product."""
    return weight_gradient(unrolled, x, weight)


def unrolled(x: Tensor, weight: Tensor) -> Tensor:
    height, width = x.shape[2] - FILTER + 1, x.shape[3] - FILTER + 1
    places = [(i, j) for i in range(FILTER) for j in range(FILTER)]
    columns = torch.stack([x[:, :, i : i + height, j : j + width] for i, j in places], 2)
    return (weight.flatten(1) @ columns.flatten(1, 2).flatten(2)).reshape(x.shape[0], -1, height, width)


def on_cpu(x: Tensor, weight: Tensor) -> Tensor:
    return convolution(x.cpu(), weight.cpu()).to(x.device)


ALTERNATIVES = (
    Alternative("slices-and-matmul", "fix", slices_and_matmul),
    *other_passes(convolution, "unet-inference"),
    Alternative("gradient-on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(convolution, (torch.randn(1, 2, 9, 9), torch.randn(3, 2, FILTER, FILTER) * 0.1))


def trigger(module: Module) -> bool:
    return module.has("convolution")
