"""A custom call whose target neuronx-cc does not know."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.blocks import custom_call
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF015"
TITLE = "custom call with an unrecognised target"
NEEDS = Needs("neuronx-cc", entry="NCC-EHCA005")
ORIGIN = page("EVRF015")
TARGET = "UNRECOGNIZED_TARGET"


def unknown_target(x: Tensor) -> Tensor:
    return custom_call(x, TARGET) + 1


def plain_operators(x: Tensor) -> Tensor:
    return x * torch.sigmoid(x) + 1


def known_target(x: Tensor) -> Tensor:
    return custom_call(x, "AwsNeuronSilu") + 1


def on_cpu(x: Tensor) -> Tensor:
    return plain_operators(x.cpu()).to(x.device)


ALTERNATIVES = (
    Alternative("plain-operators", "fix", plain_operators, note="the unknown target here stands for silu"),
    Alternative(
        "known-target",
        "fix",
        known_target,
        works=False,
        note="documented; only neuronx-cc knows AwsNeuronSilu, so the CPU client cannot check it",
    ),
    Alternative("on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(unknown_target, (torch.randn(4),), reference=plain_operators)


def trigger(module: Module) -> bool:
    return TARGET in module.custom_calls
