"""Dropout inside `torch.vmap`, which refuses random operations unless told otherwise."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "VMAP-RandomOperation"
TITLE = "dropout under vmap in its default randomness mode"
NEEDS = Needs("xla-cpu")
ORIGIN = Origin("documented", "https://docs.pytorch.org/docs/stable/func.ux_limitations.html")


def dropped_well(x: Tensor, y: Tensor) -> Tensor:
    """One where y is what dropout of x may give (0 or twice x): random numbers cannot be compared one by one."""
    return ((y == 0) | ((y - 2 * x).abs() < 1e-5)).to(x.dtype)


def layer(x: Tensor, training: bool = True) -> Tensor:
    return torch.nn.functional.dropout(x, 0.5, training=training)


def default_mode(x: Tensor) -> Tensor:
    return dropped_well(x, torch.vmap(layer)(x))


def one_mask_each(x: Tensor) -> Tensor:
    return dropped_well(x, torch.vmap(layer, randomness="different")(x))


def one_mask_for_all(x: Tensor) -> Tensor:
    return dropped_well(x, torch.vmap(layer, randomness="same")(x))


def outside(x: Tensor) -> Tensor:
    return dropped_well(x, layer(torch.vmap(lambda row: row * 1.0)(x)))


def evaluation_mode(x: Tensor) -> Tensor:
    return dropped_well(x, torch.vmap(lambda row: layer(row, training=False))(x))


def layer_norm(x: Tensor) -> Tensor:
    return dropped_well(x, torch.vmap(lambda row: torch.nn.functional.layer_norm(row, row.shape))(x))


ALTERNATIVES = (
    Alternative("randomness-different", "fix", one_mask_each),
    Alternative("randomness-same", "fix", one_mask_for_all, note="one mask for all rows"),
    Alternative("dropout-outside-vmap", "fix", outside),
    Alternative(
        "evaluation-mode",
        "semantics-changing",
        evaluation_mode,
        note="right for inference: dropout does nothing",
    ),
    Alternative("layer-norm-instead", "semantics-changing", layer_norm, note="often quoted; another layer altogether"),
)


def build() -> Example:
    return Example(default_mode, (torch.randn(4, 8),), reference=torch.ones_like)


trigger = no_graph
