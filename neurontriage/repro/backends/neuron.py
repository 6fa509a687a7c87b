"""torch-neuronx on trn1, inf2 or trn2: compiles and runs the NEFF on a NeuronCore."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from neurontriage.repro import environment as installed
from neurontriage.repro import lowering
from neurontriage.repro.backends import Job
from neurontriage.repro.case import Compiler, Function
from neurontriage.repro.lowering import Lowered

NAME = "neuron"
SHOWS: tuple[Compiler, ...] = ("neuronx-cc", "xla-cpu")


def missing() -> str:
    """No Neuron device, or a package that is absent or only its placeholder."""
    if not installed.devices():
        return "no /dev/neuron* device on this machine"
    fakes = [installed.placeholder(name) for name in ("torch-neuronx", "neuronx-cc", "libneuronxla")]
    if any(fakes):
        return "; ".join(fake for fake in fakes if fake)
    return "" if installed.version("torch-neuronx") else "torch-neuronx not installed"


def environment(target: str) -> Mapping[str, str]:
    """One NeuronCore unless the user chose others; matrix products stay in float32."""
    flags = f"{os.environ.get('NEURON_CC_FLAGS', '')} --auto-cast=none --retry_failed_compilation"
    return {
        "PJRT_DEVICE": "NEURON",
        "NEURON_RT_VISIBLE_CORES": os.environ.get("NEURON_RT_VISIBLE_CORES", "0"),
        "NEURON_CC_FLAGS": flags.strip(),
    }


def lower(function: Function, inputs: Sequence[Any]) -> Lowered:
    """Traces on the Neuron device."""
    return lowering.lower(function, inputs)


def compile(lowered: Lowered, job: Job) -> Mapping[str, Any]:
    """Cuts the graph: torch-neuronx calls neuronx-cc and loads the NEFF, or raises.

    The compile cache is the job's own folder, so that an earlier result cannot answer.
    """
    cache = job.folder / "cache"
    os.environ["NEURON_COMPILE_CACHE_URL"] = str(cache)
    os.environ["NEURON_CC_FLAGS"] = " ".join([os.environ.get("NEURON_CC_FLAGS", ""), *job.flags]).strip()
    lowering.synchronise()
    return {"neffs": len(list(cache.rglob("*.neff")))}


def run(lowered: Lowered) -> tuple[Any, ...]:
    """The outputs that the NeuronCore computed."""
    return lowered.outputs
