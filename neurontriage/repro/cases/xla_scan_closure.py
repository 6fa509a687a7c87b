"""A scan whose body uses a tensor from outside."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "XLA-ScanClosure"
TITLE = "the body of torch_xla scan closes over an XLA tensor"
NEEDS = Needs("xla-cpu")
ORIGIN = Origin("documented", "https://docs.pytorch.org/xla/master/features/scan.html")


def closing_over(start: Tensor, xs: Tensor, weight: Tensor) -> Tensor:
    from torch_xla.experimental.scan import scan

    def step(carry: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
        following = torch.tanh(carry @ weight + x)
        return following, following * 2

    return scan(step, start, xs)[1]


def weight_in_carry(start: Tensor, xs: Tensor, weight: Tensor) -> Tensor:
    from torch_xla.experimental.scan import scan

    def step(carry: tuple[Tensor, Tensor], x: Tensor) -> tuple[tuple[Tensor, Tensor], Tensor]:
        following = torch.tanh(carry[0] @ carry[1] + x)
        return (following, carry[1].clone()), following * 2

    return scan(step, (start, weight), xs)[1]


def weight_per_step(start: Tensor, xs: Tensor, weight: Tensor) -> Tensor:
    from torch_xla.experimental.scan import scan

    def step(carry: Tensor, x: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        following = torch.tanh(carry @ x[1] + x[0])
        return following, following * 2

    return scan(step, start, (xs, weight.expand(xs.shape[0], -1, -1)))[1]


def unrolled(start: Tensor, xs: Tensor, weight: Tensor) -> Tensor:
    carry, outputs = start, []
    for x in xs:
        carry = torch.tanh(carry @ weight + x)
        outputs.append(carry * 2)
    return torch.stack(outputs)


ALTERNATIVES = (
    Alternative("weight-in-carry", "fix", weight_in_carry, note="cloned: inputs and outputs must not alias"),
    Alternative("weight-per-step", "fix", weight_per_step),
    Alternative("unrolled-loop", "fallback", unrolled, note="the graph grows with the length"),
)


def build() -> Example:
    return Example(closing_over, (torch.randn(4), torch.randn(3, 4), torch.randn(4, 4)), reference=unrolled)


trigger = no_graph
