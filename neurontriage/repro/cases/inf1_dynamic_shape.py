"""Autoregressive decoding that slices its input to another length in every step."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.conditions import FINITE
from neurontriage.repro.lazy import Tensor, torch

ID = "INF1-DynamicShape"
TITLE = "greedy decoding whose context grows by one token per step"
NEEDS = Needs("neuronx-cc", targets=("inf1",))
ORIGIN = Origin(
    "analogue",
    "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/archive/torch-neuron/troubleshooting-guide.html",
)
LENGTH = 5


def attend(query: Tensor, context: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = query @ context.T
    scores = scores if mask is None else scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, -1) @ context


def head(table: Tensor) -> Tensor:
    """Scores that favour the row after the one attended to: every step decodes another token."""
    return table.roll(1, 0).T * 4


def growing_context(table: Tensor, queries: Tensor) -> Tensor:
    tokens, logits = table[:1], []
    for step in range(LENGTH):
        logits.append(attend(queries[step : step + 1], tokens) @ head(table))
        tokens = torch.cat([tokens, table[logits[-1].argmax(-1)]])
    return torch.cat(logits)


def padded(table: Tensor, queries: Tensor, masked: bool) -> Tensor:
    """Every step sees LENGTH rows; rows not decoded yet are masked out, or left in as zeros."""
    places = torch.arange(LENGTH, device=table.device)
    tokens, logits = table[:1] * (places == 0)[:, None].to(table.dtype), []
    for step in range(LENGTH):
        logits.append(attend(queries[step : step + 1], tokens, places <= step if masked else None) @ head(table))
        follows = (places == step + 1)[:, None].to(table.dtype)
        tokens = tokens + follows * table[logits[-1].argmax(-1)]
    return torch.cat(logits)


def masked_padding(table: Tensor, queries: Tensor) -> Tensor:
    return padded(table, queries, masked=True)


def bare_padding(table: Tensor, queries: Tensor) -> Tensor:
    return padded(table, queries, masked=False)


def single_pass(table: Tensor, queries: Tensor) -> Tensor:
    return attend(queries, table[:1]) @ head(table)


ALTERNATIVES = (
    Alternative("padding-with-mask", "fix", masked_padding, requires=(FINITE,), note="static shapes, same numbers"),
    Alternative("padding-without-mask", "semantics-changing", bare_padding, note="padding rows take part in attention"),
    Alternative("single-static-pass", "semantics-changing", single_pass, note="often quoted; no longer autoregressive"),
)


def build() -> Example:
    return Example(growing_context, (torch.randn(7, 6), torch.randn(LENGTH, 6)))


def trigger(module: Module) -> bool:
    """Matrix products whose size grows from step to step: each would be a shape of its own."""
    return len({each.result for each in module.views("dot")}) > LENGTH
