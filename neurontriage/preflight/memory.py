"""Weights, gradients, optimizer state and activations of one core, for a way of sharding, against the target's memory.

Formulas (bytes per core): weights P*b/(tp*pp); gradients of the trainable ones, the same; optimizer state
N*4*k/(tp*pp), with k numbers of 32 bits per trainable parameter (AdamW 2, SGD with momentum 1), divided by dp too with
ZeRO-1; activations: the peak of values alive in the largest graph, divided by tp and pp. The compiler fuses and spills,
so activations are an estimate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from neurontriage.hlo import dtypes
from neurontriage.operators.table import table
from neurontriage.preflight.capture import Capture
from neurontriage.preflight.model import Memory

GIB = 1024**3
STATE = {"adamw": 2, "adam": 2, "sgd": 0, "momentum": 1, "none": 0}
"""Numbers of 32 bits that an optimizer keeps for each trainable parameter."""
_MASTER = 4


@dataclass(frozen=True, slots=True)
class Sharding:
    """How a model is spread, in which element type it runs, and what trains it; empty: as captured."""

    tp: int = 1
    pp: int = 1
    dp: int = 1
    zero1: bool = False
    dtype: str = ""
    optimizer: str = ""


def estimate(capture: Capture, target: str, sharding: Sharding) -> Memory:
    """Bytes of one core; parts that nothing is known about are left out and named."""
    gib = table().targets[target].hbm_gib
    parts, notes = _parts(capture, sharding)
    known = {name: size for name, size in parts.items() if size}
    return Memory(target, int(gib * GIB) if gib else None, known, tuple(notes))


def _parts(capture: Capture, sharding: Sharding) -> tuple[dict[str, int], list[str]]:
    held = capture.inventory
    notes = []
    shards = sharding.tp * sharding.pp
    peak = max((graph.peak_bytes for graph in capture.graphs), default=0)
    if not held.get("parameters"):
        inputs = max((sum(_bytes(i) for i in graph.inputs) for graph in capture.graphs), default=0)
        notes.append("Weights are not told apart from other inputs here: they are counted together as inputs.")
        return {"inputs": inputs // shards, "activations": peak // shards}, notes
    weights, gradients, scale = held["weights"], held.get("gradients", 0), 1.0
    if sharding.dtype:
        width = dtypes.bits(dtypes.TORCH.get(sharding.dtype, sharding.dtype)) / 8
        scale = width * held["parameters"] / weights if weights else 1.0
    if not held.get("optimizers") and not sharding.optimizer:
        gradients = 0
        notes.append("No optimizer was seen: gradients and optimizer state are not counted (--optimizer counts them).")
    parts = {
        "weights": int(weights * scale) // shards,
        "gradients": int(gradients * scale) // shards,
        "optimizer state": _state(held, sharding) // shards // (sharding.dp if sharding.zero1 else 1),
        "activations": int(peak * scale) // shards,
    }
    notes.append("Activations are the peak of live values in the largest graph before fusion: an estimate.")
    return parts, notes


def _state(held: dict[str, Any], sharding: Sharding) -> int:
    trainable = held.get("trainable", 0)
    if sharding.optimizer:
        numbers = STATE[sharding.optimizer]
    elif held.get("optimizer_state"):
        return int(held["optimizer_state"])
    else:
        seen = held.get("optimizers", ())
        numbers = max((STATE.get(name.lower(), 0) for name in seen), default=0)
    return int(trainable * numbers * _MASTER)


def _bytes(one: tuple[str, tuple[int | str, ...]]) -> int:
    dtype, dims = one
    count = 1
    for size in dims:
        count *= size if isinstance(size, int) else 1
    return dtypes.size(dtype, count)
