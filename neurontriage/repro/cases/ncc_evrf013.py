"""topk of integers. Only the Neuron lowering makes a TopK of it; on CPU torch-xla makes a sort: compile on a device."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF013"
TITLE = "torch.topk of an integer tensor"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin("analogue", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF013.html")
K = 3


def integer_topk(x: Tensor) -> Tensor:
    return torch.topk(x, K, dim=-1)[0]


def through_float(x: Tensor) -> Tensor:
    return torch.topk(x.to(torch.float32), K, dim=-1)[0].to(x.dtype)


def by_rank(x: Tensor) -> Tensor:
    """Counts for each value how many are before it; exact for any integer, no sort in the graph."""
    places = torch.arange(x.shape[-1], device=x.device)
    larger = x[..., None, :] > x[..., :, None]
    earlier = (x[..., None, :] == x[..., :, None]) & (places < places[:, None])
    rank = (larger | earlier).to(torch.int32).sum(-1, dtype=torch.int32)
    chosen = rank[..., None, :] == torch.arange(K, device=x.device)[:, None]
    return torch.where(chosen, x[..., None, :], torch.zeros_like(x[..., None, :])).sum(-1, dtype=x.dtype)


ALTERNATIVES = (
    Alternative("rank-by-comparison", "fix", by_rank, note="any integer; quadratic in the length"),
    Alternative(
        "cast-to-float",
        "fix",
        through_float,
        works=False,
        note="documented; float32 holds integers up to 2^24 only, and these inputs are larger",
    ),
)


def build() -> Example:
    return Example(integer_topk, (torch.randint(2**24, 2**26, (2, 9), dtype=torch.int32),))


def trigger(module: Module) -> bool:
    """torch-xla lowers topk to a sort of the values together with their places."""
    return any(each.dtype in ("s32", "s64") for each in module.views("sort", "topk"))
