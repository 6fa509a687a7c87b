"""Reported on an `aten::add` in a training graph with very long chains of additions."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.blocks import (
    LONG_CHAIN,
    accumulated_matmuls,
    accumulated_squares,
    chain_of_adds,
    summed_squares,
)
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.settings import other_passes

ID = "TEN404-NeuronValueNumbering"
TITLE = "a long accumulation loop: a chain of additions, one per step"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin("analogue", "https://github.com/aws-neuron/aws-neuron-sdk/issues/947", before="2.15")


def batched_matmul(data: Tensor) -> Tensor:
    """All steps as one batched matmul, then one reduction."""
    return torch.bmm(data.unsqueeze(1), data.unsqueeze(2)).sum() * 0.5


def loop_on_cpu(data: Tensor) -> Tensor:
    return accumulated_matmuls(data.cpu()).to(data.device)


def fewer_steps(data: Tensor) -> Tensor:
    return accumulated_matmuls(data, steps=5)


ALTERNATIVES = (
    Alternative("vectorised", "fix", summed_squares),
    Alternative("batched-matmul", "fix", batched_matmul),
    Alternative(
        "sum-of-squares-per-step",
        "fix",
        accumulated_squares,
        works=False,
        note="often quoted; the chain of additions stays as long as the loop",
    ),
    Alternative("fewer-steps", "semantics-changing", fewer_steps, note="often quoted; computes another number"),
    *other_passes(accumulated_matmuls),
    Alternative("loop-on-cpu", "fallback", loop_on_cpu),
)


def build() -> Example:
    return Example(accumulated_matmuls, (torch.randn(24, 16),))


def trigger(module: Module) -> bool:
    return chain_of_adds(module) >= LONG_CHAIN
