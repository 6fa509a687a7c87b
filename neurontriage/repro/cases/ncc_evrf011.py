"""A convolution with a stride over an input that is dilated."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.conditions import FINITE
from neurontriage.repro.lazy import Tensor, torch, xla_op_registry

ID = "NCC-EVRF011"
TITLE = "strided convolution of a dilated input"
NEEDS = Needs("neuronx-cc")
ORIGIN = page("EVRF011")


def convolution(x: Tensor, weight: Tensor) -> Tensor:
    """Input dilated by 2, stride 3: torch has no such layer, so the XLA operation is built by hand."""
    return xla_op_registry.register("strided_dilated", general_dilated)(x, weight)


def general_dilated(x: Tensor, weight: Tensor) -> Tensor:
    axes = {
        "input_batch_dimension": 0,
        "input_feature_dimension": 1,
        "input_spatial_dimensions": [2, 3],
        "kernel_output_feature_dimension": 0,
        "kernel_input_feature_dimension": 1,
        "kernel_spatial_dimensions": [2, 3],
        "output_batch_dimension": 0,
        "output_feature_dimension": 1,
        "output_spatial_dimensions": [2, 3],
    }
    return x.conv_general_dilated(weight, [3, 3], [(0, 0), (0, 0)], [2, 2], [1, 1], **axes)


def upsample_then_downsample(x: Tensor, weight: Tensor) -> Tensor:
    """The dilated input as a tensor of its own, then an ordinary strided convolution."""
    wide = torch.stack([x, torch.zeros_like(x)], -1).flatten(-2)[..., :-1]
    wide = torch.stack([wide, torch.zeros_like(wide)], -2).flatten(-3, -2)[..., :-1, :]
    return torch.nn.functional.conv2d(wide, weight, stride=3)


def dilate_then_pick(x: Tensor, weight: Tensor) -> Tensor:
    """The dilated convolution at stride 1, then every third result."""
    full = torch.nn.functional.conv_transpose2d(x, weight.transpose(0, 1).flip(2, 3), stride=2)
    rows, columns = (size - 1 for size in weight.shape[-2:])
    return full[:, :, rows : full.shape[2] - rows : 3, columns : full.shape[3] - columns : 3]


def stride_only(x: Tensor, weight: Tensor) -> Tensor:
    return torch.nn.functional.conv2d(x, weight, stride=3)


ALTERNATIVES = (
    Alternative("upsample-then-stride", "fix", upsample_then_downsample),
    Alternative("stride-one-then-pick", "fix", dilate_then_pick, requires=(FINITE,)),
    Alternative("without-input-dilation", "semantics-changing", stride_only, note="documented; another output"),
)


def build() -> Example:
    inputs = (torch.randn(1, 2, 6, 6), torch.randn(3, 2, 3, 3))
    return Example(convolution, inputs, reference=upsample_then_downsample)


def trigger(module: Module) -> bool:
    windows = [each.attributes.get("window", "") for each in module.views("convolution")]
    return any("lhs_dilate" in window and "stride" in window for window in windows)
