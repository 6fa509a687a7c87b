"""A constant that was created on CPU meets a tensor on the XLA device."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import Tensor, torch

ID = "XLA-NotXlaTensor"
TITLE = "a CPU constant in a product with an XLA tensor"
NEEDS = Needs("xla-cpu")
ORIGIN = Origin("issue", "https://github.com/pytorch/xla/issues/8510")


def cpu_constant(x: Tensor) -> Tensor:
    return torch.matmul(x, constant(torch.device("cpu"), x))


def constant(device: Tensor, like: Tensor) -> Tensor:
    return torch.arange(9, dtype=like.dtype, device=device).reshape(3, 3)


def on_the_same_device(x: Tensor) -> Tensor:
    return torch.matmul(x, constant(x.device, x))


def registered_buffer(x: Tensor) -> Tensor:
    module = torch.nn.Module()
    module.register_buffer("table", constant(torch.device("cpu"), x))
    return torch.matmul(x, module.to(x.device).table)


ALTERNATIVES = (
    Alternative("create-on-the-device", "fix", on_the_same_device),
    Alternative("register-as-buffer", "fix", registered_buffer, note="moves with the module"),
)


def build() -> Example:
    return Example(cpu_constant, (torch.randn(2, 3),), reference=on_the_same_device)


trigger = no_graph
