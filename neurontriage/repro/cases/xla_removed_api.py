"""Functions that torch-xla 2.7 removed from xla_model."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch, xla_model

ID = "XLA-RemovedApi"
TITLE = "xm.xrt_world_size and its siblings are gone"
NEEDS = Needs("xla-cpu")
ORIGIN = Origin(
    "documented",
    "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/archive/appnotes/torch-neuronx/introducing-pytorch-2-9.html",
)


def removed(x: Tensor) -> Tensor:
    return x / xla_model.xrt_world_size()


def runtime_module(x: Tensor) -> Tensor:
    import torch_xla.runtime

    return x / torch_xla.runtime.world_size()


def one_rank(x: Tensor) -> Tensor:
    return x / 1


ALTERNATIVES = (Alternative("torch-xla-runtime", "fix", runtime_module, note="documented"),)


def build() -> Example:
    return Example(removed, (torch.randn(4),), reference=one_rank)


trigger = no_graph
