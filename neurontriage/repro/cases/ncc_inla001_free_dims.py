"""Cross entropy over logits with more than two free dimensions."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.conditions import FINITE
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-INLA001-FreeDims"
TITLE = "cross entropy of logits of shape (batch, sequence, head, vocabulary)"
NEEDS = Needs("neuronx-cc")
ORIGIN = Origin(
    "analogue",
    "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/release-notes/components/compiler.html",
    before="2.24.5133.0",
)


def many_dimensions(logits: Tensor, labels: Tensor) -> Tensor:
    chosen = torch.log_softmax(logits, -1) * (labels[..., None] == torch.arange(7, device=labels.device)).to(
        logits.dtype
    )
    return -chosen.sum() / labels.numel()


def flattened(logits: Tensor, labels: Tensor) -> Tensor:
    return many_dimensions(logits.flatten(0, -2), labels.flatten())


def library_loss(logits: Tensor, labels: Tensor) -> Tensor:
    return torch.nn.functional.cross_entropy(logits.flatten(0, -2), labels.flatten())


def on_cpu(logits: Tensor, labels: Tensor) -> Tensor:
    return many_dimensions(logits.cpu(), labels.cpu()).to(logits.device)


ALTERNATIVES = (
    Alternative("flatten-tokens", "fix", flattened, requires=(FINITE,)),
    Alternative("flattened-cross-entropy", "fix", library_loss, requires=(FINITE,)),
    Alternative("loss-on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(many_dimensions, (torch.randn(2, 3, 2, 7), torch.randint(7, (2, 3, 2))))


def trigger(module: Module) -> bool:
    """An exponential over more than three dimensions: two free ones besides tokens and vocabulary."""
    return any(len(each.result[0].dims) > 3 for each in module.views("exponential"))
