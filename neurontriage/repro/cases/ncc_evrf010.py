"""A convolution that dilates its input and its kernel at once."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.conditions import FINITE
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF010"
TITLE = "transposed convolution with stride and dilation dilates input and kernel at once"
NEEDS = Needs("neuronx-cc")
ORIGIN = page("EVRF010")


def transposed(x: Tensor, weight: Tensor) -> Tensor:
    return torch.nn.functional.conv_transpose2d(x, weight, stride=2, dilation=2)


def kernel_dilated_by_hand(x: Tensor, weight: Tensor) -> Tensor:
    """The zeros go into the kernel, so only the input is dilated by the compiler."""
    wide = spread(weight)
    return torch.nn.functional.conv_transpose2d(x, wide, stride=2)


def input_dilated_by_hand(x: Tensor, weight: Tensor) -> Tensor:
    """The zeros go into the input, so only the kernel is dilated by the compiler."""
    rows, columns = (2 * (size - 1) for size in weight.shape[-2:])
    wide = torch.nn.functional.pad(spread(x), (columns, columns, rows, rows))
    return torch.nn.functional.conv2d(wide, weight.flip(2, 3).transpose(0, 1), dilation=2)


def spread(x: Tensor) -> Tensor:
    """Puts a zero between neighbours of the last two axes, without any dilation attribute."""
    wide = torch.stack([x, torch.zeros_like(x)], -1).flatten(-2)[..., :-1]
    return torch.stack([wide, torch.zeros_like(wide)], -2).flatten(-3, -2)[..., :-1, :]


def without_dilation(x: Tensor, weight: Tensor) -> Tensor:
    return torch.nn.functional.conv_transpose2d(x, weight, stride=2)


ALTERNATIVES = (
    Alternative("dilate-kernel-by-hand", "fix", kernel_dilated_by_hand, requires=(FINITE,)),
    Alternative("dilate-input-by-hand", "fix", input_dilated_by_hand, requires=(FINITE,)),
    Alternative(
        "one-dilation-only",
        "semantics-changing",
        without_dilation,
        note="the documented change drops a dilation: another layer with another output size",
    ),
)


def build() -> Example:
    return Example(transposed, (torch.randn(1, 2, 5, 5), torch.randn(2, 3, 3, 3)))


def trigger(module: Module) -> bool:
    windows = [each.attributes.get("window", "") for each in module.views("convolution")]
    return any("lhs_dilate" in window and "rhs_dilate" in window for window in windows)
