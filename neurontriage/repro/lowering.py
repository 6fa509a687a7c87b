"""Function and inputs → tensors and HLO on the XLA device; the reference values on CPU in float64."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from neurontriage.repro.case import Example, Function
from neurontriage.repro.equality import Values
from neurontriage.repro.lazy import _XLAC, torch, torch_xla, xla_model

SEED = 0
FALLBACK_COUNTER = "aten::"
"""torch-xla counts an operator that it cannot lower, and runs on CPU instead, under its aten name."""
BOOKKEEPING = ("aten::_local_scalar_dense",)
"""Reading one number back is no missing operator."""


@dataclass(slots=True)
class Lowered:
    """Lazy output tensors with their graph, and the operators that left the device on the way.

    `hlo` is None where the stack shows none; then `call` compiles and computes the outputs, `how` in words.
    """

    outputs: tuple[Any, ...]
    hlo: str | None
    proto: bytes
    cpu_operators: tuple[str, ...]
    call: Callable[[], tuple[Any, ...]] = tuple
    how: str = ""

    def keep(self, outputs: tuple[Any, ...]) -> None:
        """Stores what `call` returned."""
        self.outputs = outputs


def lower(function: Function, inputs: Sequence[Any]) -> Lowered:
    """Traces `function` on the XLA device; nothing is compiled unless the function reads a value."""
    from torch_xla.debug import metrics

    device = _device()
    moved = [value.to(device) if isinstance(value, torch.Tensor) else value for value in inputs]
    synchronise()
    metrics.clear_all()
    outputs = flat(function(*moved))
    left = sorted(name for name in metrics.counter_names() if name.startswith(FALLBACK_COUNTER))
    return Lowered(
        outputs,
        _XLAC._get_xla_tensors_hlo(list(outputs)),
        _XLAC._get_xla_tensors_hlo_proto(list(outputs)),
        tuple(name for name in left if name not in BOOKKEEPING),
    )


def synchronise() -> None:
    """Cuts, compiles and runs the graph, and waits for it (`sync(wait=True)` does not wait on CPU)."""
    if hasattr(torch_xla, "sync"):
        torch_xla.sync()
    else:  # torch-xla before 2.5
        xla_model.mark_step()
    xla_model.wait_device_ops()


def read(outputs: Sequence[Any]) -> tuple[Values, ...]:
    """Output tensors as plain numbers; complex ones as pairs of real numbers."""
    return tuple(_values(tensor) for tensor in outputs)


def reference(example: Example) -> tuple[Values, ...]:
    """Expected values on CPU: in float64 where the operators exist, else in the inputs' own types."""
    function = example.reference or example.function
    torch.manual_seed(SEED)
    try:
        return _in_double(function, example.inputs)
    except (RuntimeError, NotImplementedError):
        torch.manual_seed(SEED)
        return read(flat(function(*example.inputs)))


def flat(result: Any) -> tuple[Any, ...]:
    """The tensors of a result, nested tuples and lists opened."""
    if isinstance(result, (tuple, list)):
        return tuple(tensor for item in result for tensor in flat(item))
    return (result,)


def _in_double(function: Function, inputs: Sequence[Any]) -> tuple[Values, ...]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        return read(flat(function(*[_double(value) for value in inputs])))
    finally:
        torch.set_default_dtype(before)


def _double(value: Any) -> Any:
    if not isinstance(value, torch.Tensor):
        return value
    if value.is_complex():
        return value.to(torch.complex128)
    return value.double() if value.is_floating_point() else value.clone()


def _values(tensor: Any) -> Values:
    cpu = tensor.detach().cpu()
    cpu = torch.view_as_real(cpu) if cpu.is_complex() else cpu
    dtype = str(cpu.dtype).removeprefix("torch.")
    numbers = cpu.double() if cpu.is_floating_point() else cpu
    return Values(tuple(cpu.shape), dtype, tuple(numbers.flatten().tolist()))


def _device() -> Any:
    return torch_xla.device() if hasattr(torch_xla, "device") else xla_model.xla_device()
