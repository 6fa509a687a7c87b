"""sort on trn2."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.conditions import NO_NAN
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
    """Counts the values that go before each, in int32, then selects: no sort, no scatter; NaN goes last, as in sort."""
    places = torch.arange(x.shape[-1], device=x.device)
    one, other = x[..., :, None], x[..., None, :]
    nan, same = one.isnan(), (other == one) | (other.isnan() & one.isnan())
    before = (other < one) | (nan & ~other.isnan()) | (same & (places < places[:, None]))
    rank = before.to(torch.int32).sum(-1, dtype=torch.int32)
    chosen = rank[..., None, :] == places[:, None]
    return torch.where(chosen, other, torch.zeros_like(other)).sum(-1, dtype=x.dtype)


def odd_even(x: Tensor) -> Tensor:
    """Odd-even transposition: n rounds of minimum and maximum of neighbours."""
    for turn in range(x.shape[-1]):
        start = turn % 2
        stop = start + (x.shape[-1] - start) // 2 * 2
        even, odd = x[..., start:stop:2], x[..., start + 1 : stop : 2]
        ordered = torch.stack([torch.minimum(even, odd), torch.maximum(even, odd)], -1).flatten(-2)
        x = torch.cat([x[..., :start], ordered, x[..., stop:]], -1)
    return x


def on_cpu(x: Tensor) -> Tensor:
    return torch.sort(x.cpu())[0].to(x.device)


ALTERNATIVES = (
    Alternative("rank-by-comparison", "fix", by_rank, note="quadratic in the length"),
    Alternative("odd-even-transposition", "fix", odd_even, note="the graph grows with the length", requires=(NO_NAN,)),
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


def trigger(module: Module) -> bool:
    return module.has("sort")
