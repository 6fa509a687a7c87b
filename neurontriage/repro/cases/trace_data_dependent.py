"""A Python branch on a value while torch.fx traces: a tensor has a form there, and no value."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "TRACE-DataDependent"
TITLE = "a branch on a value while a graph is traced"
NEEDS = Needs("xla-cpu")
ORIGIN = Origin("documented", "https://docs.pytorch.org/docs/stable/fx.html")


def branch(x: Tensor) -> Tensor:
    return x * 2 if x.sum() > 0 else -x


def traced_branch(x: Tensor) -> Tensor:
    traced: Tensor = torch.fx.symbolic_trace(branch)(x)
    return traced


def selected(x: Tensor) -> Tensor:
    chosen: Tensor = torch.fx.symbolic_trace(lambda y: torch.where(y.sum() > 0, y * 2, -y))(x)
    return chosen


ALTERNATIVES = (
    Alternative("where", "fix", selected, note="both branches are computed"),
    Alternative("untraced", "fallback", branch, note="reads a value back, and makes a graph for each branch"),
)


def build() -> Example:
    return Example(traced_branch, (torch.randn(4, 3),), reference=branch)


trigger = no_graph
