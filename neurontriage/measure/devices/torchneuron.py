"""TorchNeuron: the native device `neuron` with `torch.compile(backend="neuron")`. Written from its documentation."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from neurontriage.measure.device import Connection
from neurontriage.repro import environment as installed

NAME = "torchneuron"
INSTALL = "pip install torch-neuronx --extra-index-url https://pip.repos.neuron.amazonaws.com  # SDK 2.27 or newer"
TIMES = "one NeuronCore through torch.compile"
PROCESSES = 3
SHARED_CACHE = True


def missing() -> str:
    """No Neuron device, a placeholder, or a torch-neuronx that is built on torch-xla."""
    if not installed.devices():
        return "no /dev/neuron* device on this machine"
    if fake := installed.placeholder("torch-neuronx"):
        return fake
    version = installed.version("torch-neuronx")
    if version is None:
        return "torch-neuronx not installed"
    return f"torch-neuronx {version} is built on torch-xla: --backend neuron" if installed.version("torch-xla") else ""


def environment(folder: Path, process: int) -> Mapping[str, str]:
    """A compile cache of this measurement alone."""
    cores = os.environ.get("NEURON_RT_VISIBLE_CORES", "0")
    return {"NEURON_RT_VISIBLE_CORES": cores, "NEURON_COMPILE_CACHE_URL": str(folder / "cache")}


def connect() -> Connection:
    """Registers the device, and compiles with the backend of the same name."""
    import torch
    import torch_neuronx  # noqa: F401 - registers the device and the backend

    from neurontriage.measure.devices.native import connection

    return connection("neuron", "neuron", torch.neuron.synchronize)
