"""A view of an ordinary XLA tensor under inference mode, with functionalization on."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "XLA-InferenceTensorVersion"
TITLE = "a view of an ordinary tensor under torch.inference_mode"
NEEDS = Needs("xla-cpu", environment={"XLA_DISABLE_FUNCTIONALIZATION": "0"})
ORIGIN = Origin("documented", "https://docs.pytorch.org/docs/stable/notes/autograd.html#inference-mode")


def unfold_under_inference_mode(x: Tensor) -> Tensor:
    with torch.inference_mode():
        return x.unfold(-1, 2, 2)


def reshape_under_inference_mode(x: Tensor) -> Tensor:
    with torch.inference_mode():
        return x.reshape(x.shape[0], -1, 2)


def clone_inside(x: Tensor) -> Tensor:
    with torch.inference_mode():
        return x.clone().reshape(x.shape[0], -1, 2)


def clone_outside(x: Tensor) -> Tensor:
    ordinary = x.clone()
    with torch.inference_mode():
        return ordinary.reshape(x.shape[0], -1, 2)


def reshape_under_no_grad(x: Tensor) -> Tensor:
    with torch.no_grad():
        return x.reshape(x.shape[0], -1, 2)


def unfold_under_no_grad(x: Tensor) -> Tensor:
    with torch.no_grad():
        return x.unfold(-1, 2, 2)


ALTERNATIVES = (
    Alternative("no-grad", "fix", reshape_under_no_grad, note="documented"),
    Alternative("clone-inside", "fix", clone_inside, note="the copy is an inference tensor: its views are allowed"),
    Alternative(
        "other-view-operator",
        "fix",
        reshape_under_inference_mode,
        works=False,
        note="often quoted; every view of an ordinary tensor fails alike, reshape too",
    ),
    Alternative(
        "clone-outside",
        "fix",
        clone_outside,
        works=False,
        note="often quoted; the copy is an ordinary tensor again",
    ),
    Alternative("unfold-under-no-grad", "fallback", unfold_under_no_grad, note="unfold itself runs on CPU"),
)


def build() -> Example:
    return Example(unfold_under_inference_mode, (torch.randn(3, 8),))


trigger = no_graph
