"""`Tensor.unfold` without functionalization, which is how torch-neuronx runs by default."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "XLA-ViewOperator"
TITLE = "Tensor.unfold is a view operator that XLA does not have"
NEEDS = Needs("xla-cpu", environment={"XLA_DISABLE_FUNCTIONALIZATION": "1"})
ORIGIN = Origin("issue", "https://github.com/pytorch/xla/issues/4838")


def patches(image: Tensor) -> Tensor:
    return image.unfold(-2, 2, 2).unfold(-2, 2, 2)


def reshape_permute(image: Tensor) -> Tensor:
    b, c, h, w = image.shape
    return image.reshape(b, c, h // 2, 2, w // 2, 2).permute(0, 1, 2, 4, 3, 5)


def strided_slices(image: Tensor) -> Tensor:
    rows = torch.stack([image[:, :, offset::2] for offset in range(2)], -1)
    return torch.stack([rows[:, :, :, offset::2] for offset in range(2)], -1)


def unfold_module(image: Tensor) -> Tensor:
    b, c, h, w = image.shape
    columns = torch.nn.Unfold(kernel_size=2, stride=2)(image)
    return columns.reshape(b, c, 2, 2, h // 2, w // 2).permute(0, 1, 4, 5, 2, 3)


def unfold_module_as_quoted(image: Tensor) -> Tensor:
    return torch.nn.Unfold(kernel_size=2, stride=2)(image)


def on_cpu(image: Tensor) -> Tensor:
    return patches(image.cpu()).contiguous().to(image.device)


UNFOLD = "often quoted; aten::im2col has no lowering either: it runs on CPU and cuts the graph"

ALTERNATIVES = (
    Alternative("reshape-permute", "fix", reshape_permute),
    Alternative("strided-slices", "fix", strided_slices),
    Alternative("nn-unfold", "fix", unfold_module, works=False, note=UNFOLD),
    Alternative(
        "nn-unfold-as-quoted",
        "fix",
        unfold_module_as_quoted,
        works=False,
        note=f"{UNFOLD}; its output has another shape",
    ),
    Alternative("on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(patches, (torch.randn(1, 2, 4, 6),))


trigger = no_graph
