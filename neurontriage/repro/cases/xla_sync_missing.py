"""`xm.sync()` does not exist; what is quoted instead must really run the pending graph."""

from __future__ import annotations

from neurontriage.repro.blocks import no_graph
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import _XLAC, Tensor, torch, torch_xla, xla_model

ID = "XLA-SyncMissing"
TITLE = "torch_xla.core.xla_model has no function sync"
NEEDS = Needs("xla-cpu")
ORIGIN = Origin("documented", "https://github.com/pytorch/xla/blob/master/API_GUIDE.md")


def pending(y: Tensor) -> tuple[Tensor, Tensor]:
    """The value, and whether its graph still waits to be compiled and run."""
    waits = bool(_XLAC._check_tensor_need_materialization([y])[0])
    return y, torch.full((1,), float(waits))


def missing_function(x: Tensor) -> tuple[Tensor, Tensor]:
    y = x * 2
    xla_model.sync()
    return pending(y)


def torch_xla_sync(x: Tensor) -> tuple[Tensor, Tensor]:
    y = x * 2
    torch_xla.sync()
    return pending(y)


def mark_step(x: Tensor) -> tuple[Tensor, Tensor]:
    y = x * 2
    xla_model.mark_step()
    return pending(y)


def wait_only(x: Tensor) -> tuple[Tensor, Tensor]:
    y = x * 2
    xla_model.wait_device_ops()
    return pending(y)


def expected(x: Tensor) -> tuple[Tensor, Tensor]:
    return x * 2, torch.zeros(1)


ALTERNATIVES = (
    Alternative("torch-xla-sync", "fix", torch_xla_sync, note="from torch-xla 2.5"),
    Alternative("mark-step", "fix", mark_step, note="older torch-xla; deprecated since 2.7"),
    Alternative(
        "wait-device-ops",
        "fix",
        wait_only,
        works=False,
        note="often quoted; alone it compiles and runs nothing",
    ),
)


def build() -> Example:
    return Example(missing_function, (torch.randn(4),), reference=expected)


trigger = no_graph
