"""A PJRT device behind torch-xla: CPU, or a NeuronCore through torch-neuronx."""

from __future__ import annotations

import time
from typing import Any

from neurontriage.hlo import files
from neurontriage.measure.device import Connection, Counters, Cut, Step


class XlaDevice:
    """Lazy tensors: `cut` is `torch_xla.sync()`, which compiles where it must and then returns before the end."""

    def __init__(self) -> None:
        import torch_xla
        import torch_xla.core.xla_model as xm
        import torch_xla.debug.metrics as metrics

        self._xla, self._native, self._metrics, self._wait = torch_xla, torch_xla._XLAC, metrics, xm.wait_device_ops
        self._sync = torch_xla.sync if hasattr(torch_xla, "sync") else xm.mark_step
        self.device: Any = None

    def now(self) -> float:
        """The clock of this host, in seconds."""
        return time.perf_counter()

    def open(self) -> None:
        """Creates the PJRT client."""
        self.device = self._xla.device() if hasattr(self._xla, "device") else self._xm_device()

    def _xm_device(self) -> Any:
        import torch_xla.core.xla_model as xm

        return xm.xla_device()

    def place(self, value: Any) -> Any:
        """A module or tensor on the device, after the transfer."""
        moved = value.to(self.device)
        self._sync()
        self._wait()
        return moved

    def transfer(self) -> None:
        """Four bytes to the device."""
        import torch

        self.place(torch.zeros(1))

    def trivial(self) -> Step:
        """x @ x + 1: the first product of matrices starts the thread pool of the CPU client."""
        import torch

        x = self.place(torch.zeros(8, 8))

        def step(cut: Cut) -> Any:
            result = x @ x + 1
            cut([result])
            return result

        return step

    def cut(self, outputs: Any) -> None:
        """Every pending tensor, not only the outputs, goes into the graph."""
        self._sync()

    def wait(self) -> None:
        """`torch_xla.sync(wait=True)` does not wait for the execution on CPU; this does."""
        self._wait()

    def counters(self) -> Counters:
        """The metrics of torch-xla. On Neuron `UncachedCompile` counts a NEFF that comes from the cache, too."""
        names = self._metrics.counter_names()
        count = {name: self._metrics.counter_value(name) for name in names}
        compiles, executions = self._timed("CompileTime"), self._timed("ExecuteTime")
        return Counters(
            compiles=count.get("UncachedCompile", 0),
            compile_seconds=compiles[1],
            executions=executions[0],
            execute_seconds=executions[1],
            to_device=self._timed("TransferToDeviceTime")[0],
            from_device=self._timed("TransferFromDeviceTime")[0],
            fallbacks={name: value for name, value in count.items() if name.startswith("aten::")},
        )

    def _timed(self, name: str) -> tuple[int, float]:
        data = self._metrics.metric_data(name)
        return (int(data[0]), float(data[1]) / 1e9) if data else (0, 0.0)

    def instructions(self, outputs: Any) -> tuple[str, int] | None:
        """Hash of the lazy graph and number of HLO instructions."""
        tensors = list(outputs)
        if not tensors:
            return None
        graph = self._native._get_graph_hash(tensors)
        module = files.parse("graph", self._native._get_xla_tensors_hlo_proto(tensors)).module
        return graph.hex() if isinstance(graph, bytes) else str(graph), sum(1 for _ in module.instructions)


def native_scan() -> Any:
    """`torch_xla.experimental.scan` with a pure function (no new trace on each call), or None where it is absent."""
    try:
        from torch_xla.experimental.scan import scan
    except ImportError:
        return None

    def pure(function: Any, carry: Any, places: Any) -> Any:
        return scan(function, carry, places, is_fn_pure=True)

    return pure


def connection() -> Connection:
    """The device that PJRT_DEVICE names."""
    device = XlaDevice()
    return Connection(device, device.place, scan=native_scan())
