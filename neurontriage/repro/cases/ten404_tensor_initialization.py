"""Reported for tensors that are created, written in part, and then reduced."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.conditions import NO_NAN
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.settings import OPTIONS, other_passes

ID = "TEN404-TensorInitialization"
TITLE = "a zero tensor that is filled by slice assignment and then reduced"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin("analogue", "https://github.com/aws-neuron/aws-neuron-sdk/issues/1058")


def filled_in_place(x: Tensor) -> Tensor:
    padded = torch.zeros(x.shape[0], x.shape[1] + 4, dtype=x.dtype, device=x.device)
    padded[:, 2:-2] = x
    return padded.amax(1)


def padded_at_once(x: Tensor) -> Tensor:
    return torch.nn.functional.pad(x, (2, 2)).amax(1)


def concatenated(x: Tensor) -> Tensor:
    edge = torch.zeros(x.shape[0], 2, dtype=x.dtype, device=x.device)
    return torch.cat([edge, x, edge], 1).amax(1)


def on_cpu(x: Tensor) -> Tensor:
    return filled_in_place(x.cpu()).to(x.device)


ALTERNATIVES = (
    Alternative("pad", "fix", padded_at_once, requires=(NO_NAN,)),
    Alternative("concatenate", "fix", concatenated, requires=(NO_NAN,)),
    Alternative(
        "auto-cast-all",
        "semantics-changing",
        filled_in_place,
        flags=("--auto-cast=all",),
        note="one report, of a vocoder that fails in float32; bfloat16 arithmetic everywhere",
        source=OPTIONS,
    ),
    *other_passes(filled_in_place, "cnn-training"),
    Alternative("fill-on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(filled_in_place, (torch.randn(3, 8),))


def trigger(module: Module) -> bool:
    """The partial write: a select between the padded values and the initial ones, or an update."""
    return module.has("select", "dynamic-update-slice", "scatter")
