"""An indexed write into a cache inside the graph."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Condition, Example, Needs, Origin
from neurontriage.repro.conditions import FINITE
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.settings import LOGICAL_CORES

ID = "NCC-ITIN902-LoopIndex"
TITLE = "a decode step that scatters a row into the KV cache"
NEEDS = Needs("neuronx-cc", targets=("trn2",))
ORIGIN = Origin("analogue", "https://github.com/aws-neuron/aws-neuron-sdk/issues/1058")


def indexed_write(cache: Tensor, position: Tensor, row: Tensor) -> Tensor:
    return cache.index_put((position,), row)


def masked_write(cache: Tensor, position: Tensor, row: Tensor) -> Tensor:
    mask = torch.arange(cache.shape[0], device=cache.device).eq(position % cache.shape[0])[:, None]
    return torch.where(mask, row, cache)


def blended_write(cache: Tensor, position: Tensor, row: Tensor) -> Tensor:
    hit = (torch.arange(cache.shape[0], device=cache.device) == position % cache.shape[0]).to(cache.dtype)[:, None]
    return cache * (1 - hit) + hit * row


def library_scatter(cache: Tensor, position: Tensor, row: Tensor) -> Tensor:
    return cache.scatter(0, position[:, None].expand(-1, cache.shape[1]), row)


ONE_POSITION = Condition("one position", lambda cache, position, row: position.numel() == 1)

ALTERNATIVES = (
    Alternative("where-with-mask", "fix", masked_write, requires=(ONE_POSITION,)),
    Alternative("blend-with-mask", "fix", blended_write, requires=(ONE_POSITION, FINITE)),
    Alternative(
        "one-core-per-logical-core",
        "fix",
        indexed_write,
        flags=("--logical-nc-config=1",),
        environment={"NEURON_LOGICAL_NC_CONFIG": "1"},
        targets=("trn2", "trn3"),
        note="compiler and runtime must agree; no graph is split over two cores then",
        source=LOGICAL_CORES,
    ),
    Alternative("scatter-instead", "fix", library_scatter, works=False, note="an obvious try; the same indirect write"),
)


def build() -> Example:
    return Example(indexed_write, (torch.randn(6, 4), torch.tensor([2]), torch.randn(1, 4)))


def trigger(module: Module) -> bool:
    return module.has("scatter")
