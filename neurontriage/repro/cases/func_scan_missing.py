"""`torch.func.scan` does not exist."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "FUNC-ScanMissing"
TITLE = "torch.func has no function scan"
NEEDS = Needs("xla-cpu")
ORIGIN = Origin("documented", "https://docs.pytorch.org/xla/master/features/scan.html")


def step(carry: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    following = torch.tanh(carry + x)
    return following, following * 2


def func_scan(start: Tensor, xs: Tensor) -> Tensor:
    return torch.func.scan(step, start, xs)


def experimental_scan(start: Tensor, xs: Tensor) -> Tensor:
    from torch_xla.experimental.scan import scan

    return scan(step, start, xs)


def unrolled(start: Tensor, xs: Tensor) -> tuple[Tensor, Tensor]:
    carry, outputs = start, []
    for x in xs:
        carry, output = step(carry, x)
        outputs.append(output)
    return carry, torch.stack(outputs)


ALTERNATIVES = (
    Alternative("torch-xla-scan", "fix", experimental_scan, note="must not close over XLA tensors"),
    Alternative("unrolled-loop", "fix", unrolled, note="the graph grows with the length"),
)


def build() -> Example:
    return Example(func_scan, (torch.randn(4), torch.randn(3, 4)), reference=unrolled)


trigger = no_graph
