"""TorchNeuron (`torch.compile(backend="neuron")`, SDK 2.32 and later): torch without torch-xla, on trn2 and trn3.

Written against its documentation, not run on a device by us. There is no HLO to look into, so whether a graph still
holds a trigger is not known here; it compiles on Trainium instances only.
https://awsdocs-neuron.readthedocs-hosted.com/en/latest/frameworks/torch/pytorch-native-overview.html
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from neurontriage.repro import environment as installed
from neurontriage.repro import lowering
from neurontriage.repro.backends import CompileFailed, Job
from neurontriage.repro.case import Compiler, Function, Stack
from neurontriage.repro.lazy import torch
from neurontriage.repro.lowering import Lowered
from neurontriage.repro.slots import slot

NAME = "torchneuron"
SHOWS: tuple[Compiler, ...] = ("neuronx-cc",)
NUMBERS_FROM, ON_DEVICE = "device", True
STACK: Stack = "native"
DEVICE = DYNAMO_BACKEND = "neuron"


def missing() -> str:
    """No Neuron device, no torch-neuronx, or one that stands on torch-xla."""
    if not installed.devices():
        return "no /dev/neuron* device on this machine"
    if installed.placeholder("torch-neuronx") or installed.version("torch-neuronx") is None:
        return installed.placeholder("torch-neuronx") or "torch-neuronx not installed"
    return (
        "torch-neuronx is the one on torch-xla here; use the backend neuron" if installed.version("torch-xla") else ""
    )


def environment(target: str) -> Mapping[str, str]:
    """torch loads the device by itself; the core comes from the allocator."""
    return {}


def lower(function: Function, inputs: Sequence[Any], leaves: bool = False) -> Lowered:
    """Prepares the compiled function and its inputs; torch.compile traces when it is first called.

    A function that leaves the device runs eagerly: with the tensors of two devices in one graph the backend would be
    asked to compile the CPU's part too.
    """
    moved = [value.to(DEVICE) if isinstance(value, torch.Tensor) else value for value in inputs]
    whole = torch.compile(function, backend=DYNAMO_BACKEND, dynamic=False, fullgraph=True)
    compiled = function if leaves else whole
    how = "eager" if leaves else "torch.compile(backend='neuron')"
    return Lowered((), None, b"", (), lambda: lowering.flat(compiled(*moved)), how)


def compile(lowered: Lowered, job: Job) -> Mapping[str, Any]:
    """Calls the function once: TorchDynamo traces it, the Neuron backend compiles and runs it, or raises."""
    cache = job.folder / "cache"
    os.environ["NEURON_COMPILE_CACHE_URL"] = str(cache)
    os.environ["NEURON_CC_FLAGS"] = shlex.join(job.flags)
    facts = {"command": f"{lowered.how}, NEURON_CC_FLAGS={shlex.quote(shlex.join(job.flags))}"}
    try:
        with slot(job.slots, job.at_once):
            lowered.keep(lowered.call())
    except Exception as error:
        raise CompileFailed(str(error), facts) from error
    return facts


def run(lowered: Lowered) -> tuple[Any, ...]:
    """The outputs; reading them waits for the device."""
    return lowered.outputs
