"""one_hot, whose lowering holds instructions that early compilers refuse."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.blocks import one_hot
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "CC-UnsupportedHlo"
TITLE = "torch.nn.functional.one_hot lowers to a scatter with 64-bit indices"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin("analogue", "https://github.com/aws-neuron/aws-neuron-sdk/issues/588")
CLASSES = 5


def library_one_hot(index: Tensor) -> Tensor:
    return torch.nn.functional.one_hot(index, CLASSES).to(torch.float32)


def compared(index: Tensor) -> Tensor:
    return one_hot(index, CLASSES, torch.float32)


def on_cpu(index: Tensor) -> Tensor:
    return library_one_hot(index.cpu()).to(index.device)


ALTERNATIVES = (
    Alternative("compare-with-arange", "fix", compared),
    Alternative("one-hot-on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(library_one_hot, (torch.tensor([0, 3, 1, 4]),))


def trigger(module: Module) -> bool:
    return module.has("scatter", "dynamic-slice", "sort")
