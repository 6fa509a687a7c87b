"""Reported for loops of small matmuls with a running sum in a job with collectives."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.blocks import (
    LONG_CHAIN,
    accumulated_matmuls,
    accumulated_squares,
    all_reduced,
    chain_of_adds,
    summed_squares,
)
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.settings import other_passes

ID = "TEN404-InferIntrinsicOnCC"
TITLE = "a long accumulation of small matmuls that ends in a collective"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin("analogue", "https://github.com/aws-neuron/aws-neuron-sdk/issues/881")


def loop_then_collective(data: Tensor) -> Tensor:
    return all_reduced(accumulated_matmuls(data))


def squares_then_collective(data: Tensor) -> Tensor:
    return all_reduced(accumulated_squares(data))


def vectorised_then_collective(data: Tensor) -> Tensor:
    return all_reduced(summed_squares(data))


def fewer_steps(data: Tensor) -> Tensor:
    return all_reduced(accumulated_matmuls(data, steps=5))


def loop_on_cpu(data: Tensor) -> Tensor:
    return all_reduced(accumulated_matmuls(data.cpu()).to(data.device))


ALTERNATIVES = (
    Alternative("vectorised", "fix", vectorised_then_collective),
    Alternative(
        "sum-of-squares-per-step",
        "fix",
        squares_then_collective,
        works=False,
        note="often quoted; drops the matmuls but the graph still grows by a step per row",
    ),
    Alternative("fewer-steps", "semantics-changing", fewer_steps, note="often quoted; computes another number"),
    *other_passes(loop_then_collective),
    Alternative("loop-on-cpu", "fallback", loop_on_cpu),
)


def build() -> Example:
    return Example(loop_then_collective, (torch.randn(24, 16),), reference=summed_squares)


def trigger(module: Module) -> bool:
    return module.has("all-reduce") and chain_of_adds(module) >= LONG_CHAIN
