"""Inputs of `torch.vmap` with different sizes along the mapped axis."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "VMAP-SizeMismatch"
TITLE = "vmap over a batch and one shared tensor"
NEEDS = Needs("xla-cpu")
ORIGIN = Origin("documented", "https://docs.pytorch.org/docs/stable/generated/torch.vmap.html")


def product(row: Tensor, shared: Tensor) -> Tensor:
    return row * shared


def all_mapped(x: Tensor, shared: Tensor) -> Tensor:
    return torch.vmap(product)(x, shared)


def shared_marked(x: Tensor, shared: Tensor) -> Tensor:
    return torch.vmap(product, in_dims=(0, None))(x, shared[0])


def expanded(x: Tensor, shared: Tensor) -> Tensor:
    return torch.vmap(product)(x, shared.expand(x.shape[0], -1))


def broadcast(x: Tensor, shared: Tensor) -> Tensor:
    return x * shared


ALTERNATIVES = (
    Alternative("mark-as-shared", "fix", shared_marked, note="in_dims=(0, None)"),
    Alternative("expand-to-the-batch", "fix", expanded),
)


def build() -> Example:
    return Example(all_mapped, (torch.randn(8, 3), torch.randn(1, 3)), reference=broadcast)


trigger = no_graph
