"""The smallest float32 filled into a host tensor of lower precision."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin, Tolerance
from neurontriage.repro.lazy import Tensor, torch

ID = "TORCH-ConstantOverflow"
TITLE = "a bfloat16 mask built on the host with the smallest float32"
NEEDS = Needs("xla-cpu")
ORIGIN = Origin(
    "documented",
    "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/archive/nxd-training/training-troubleshooting.html",
)
BFLOAT16 = Tolerance(rtol=2e-2, atol=1e-2)


def attention(scores: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(scores + mask.to(scores.device, scores.dtype), -1)


def mask_of(size: int, value: float, device: str | Tensor = "cpu") -> Tensor:
    places = torch.arange(size, device=device)
    blank = torch.zeros(size, size, dtype=torch.bfloat16, device=device)
    return blank.masked_fill(places > places[:, None], value)


def float32_minimum(scores: Tensor) -> Tensor:
    return attention(scores, mask_of(4, torch.finfo(torch.float32).min))


def own_minimum(scores: Tensor) -> Tensor:
    return attention(scores, mask_of(4, torch.finfo(torch.bfloat16).min))


def infinity(scores: Tensor) -> Tensor:
    return attention(scores, mask_of(4, float("-inf")))


def built_on_the_device(scores: Tensor) -> Tensor:
    return attention(scores, mask_of(4, torch.finfo(torch.float32).min, scores.device))


ALTERNATIVES = (
    Alternative("minimum-of-the-dtype", "fix", own_minimum, tolerance=BFLOAT16),
    Alternative("minus-infinity", "fix", infinity, note="a row without any value gives NaN", tolerance=BFLOAT16),
    Alternative(
        "build-on-the-device",
        "fix",
        built_on_the_device,
        note="XLA rounds to minus infinity in silence",
        tolerance=BFLOAT16,
    ),
)


def build() -> Example:
    return Example(float32_minimum, (torch.randn(4, 4),), reference=own_minimum)


trigger = no_graph
