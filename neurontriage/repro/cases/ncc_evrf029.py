"""sort on trn2."""

from __future__ import annotations

from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.hlo import has
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF029"
TITLE = "torch.sort: the operation sort is not supported"
NEEDS = Needs("neuronx-cc", subject=("sort",), targets=("trn2",))
ORIGIN = Origin("analogue", "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/index.html")


def library_sort(x: Tensor) -> Tensor:
    return torch.sort(x)[0]


def whole_topk(x: Tensor) -> Tensor:
    return torch.topk(x, x.shape[-1], largest=False)[0]


def by_rank(x: Tensor) -> Tensor:
    """Counts the smaller values, then picks by comparison: no sort, no scatter."""
    places = torch.arange(x.shape[0], device=x.device)
    before = (x[None] < x[:, None]) | ((x[None] == x[:, None]) & (places[None] < places[:, None]))
    rank = before.to(x.dtype).sum(1)
    return ((rank[None] == places[:, None]).to(x.dtype) * x[None]).sum(1)


def odd_even(x: Tensor) -> Tensor:
    """Odd-even transposition: n rounds of minimum and maximum of neighbours."""
    for turn in range(x.shape[0]):
        start = turn % 2
        stop = start + (x.shape[0] - start) // 2 * 2
        pairs = x[start:stop].reshape(-1, 2)
        ordered = torch.stack([pairs.amin(1), pairs.amax(1)], 1).reshape(-1)
        x = torch.cat([x[:start], ordered, x[stop:]])
    return x


def on_cpu(x: Tensor) -> Tensor:
    return torch.sort(x.cpu())[0].to(x.device)


ALTERNATIVES = (
    Alternative("rank-by-comparison", "fix", by_rank, note="quadratic in the length"),
    Alternative("odd-even-transposition", "fix", odd_even, note="the graph grows with the length"),
    Alternative(
        "topk-of-everything",
        "fix",
        whole_topk,
        works=False,
        note="documented; torch-xla lowers topk to the same sort on CPU, Neuron may differ",
    ),
    Alternative("sort-on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(library_sort, (torch.randn(9),))


def trigger(hlo: str) -> bool:
    return has(hlo, "sort")
