"""An operand that is read in nested strides, as by interleaved rotary embeddings."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.settings import other_passes

ID = "TEN404-BirCodeGenLoop-TooManyStrides"
TITLE = "the sine of angles that are repeated along several axes"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin("analogue", "https://github.com/aws-neuron/aws-neuron-sdk/issues/1080")


def repeated_then_sine(angles: Tensor) -> Tensor:
    """Every angle twice along two axes before the sine: four nested strides."""
    rows, columns = angles.shape
    wide = angles[:, None, :, None].expand(rows, 2, columns, 2)
    return torch.sin(wide).reshape(rows * 2, columns * 2)


def sine_then_repeated(angles: Tensor) -> Tensor:
    """The sine of the contiguous angles first, the copies afterwards."""
    sines = torch.sin(angles)
    rows = torch.stack([sines, sines], 1).reshape(-1, sines.shape[1])
    return torch.stack([rows, rows], 2).reshape(rows.shape[0], -1)


def looked_up(angles: Tensor) -> Tensor:
    """The table of sines as a constant that the CPU computed once."""
    return repeated_then_sine(angles.cpu()).to(angles.device)


ALTERNATIVES = (
    Alternative("sine-of-contiguous-angles", "fix", sine_then_repeated),
    *other_passes(repeated_then_sine, "transformer"),
    Alternative("table-from-cpu", "fallback", looked_up),
)


def build() -> Example:
    return Example(repeated_then_sine, (torch.randn(3, 4),))


def trigger(module: Module) -> bool:
    """A sine over more than two axes."""
    return any(len(each.result[0].dims) > 2 for each in module.views("sine"))
