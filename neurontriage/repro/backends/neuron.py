"""torch-neuronx on torch-xla (SDK up to 2.31): compiles and runs the NEFF on a NeuronCore of trn1, inf2 or trn2."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from neurontriage.repro import environment as installed
from neurontriage.repro import lowering
from neurontriage.repro.backends import CompileFailed, Job
from neurontriage.repro.case import Compiler, Function, Stack
from neurontriage.repro.lowering import Lowered
from neurontriage.repro.slots import slot

NAME = "neuron"
SHOWS: tuple[Compiler, ...] = ("neuronx-cc", "xla-cpu")
NUMBERS_FROM, ON_DEVICE = "device", True
STACK: Stack = "xla"


def missing() -> str:
    """No Neuron device, or a package that is absent or only its placeholder."""
    if not installed.devices():
        return "no /dev/neuron* device on this machine"
    fakes = [installed.placeholder(name) for name in ("torch-neuronx", "neuronx-cc", "libneuronxla")]
    if any(fakes):
        return "; ".join(fake for fake in fakes if fake)
    absent = [name for name in ("torch-neuronx", "torch-xla") if installed.version(name) is None]
    return f"{' and '.join(absent)} not installed" if absent else ""


def environment(target: str) -> Mapping[str, str]:
    """The Neuron client; the core comes from the allocator."""
    return {"PJRT_DEVICE": "NEURON"}


def lower(function: Function, inputs: Sequence[Any], leaves: bool = False) -> Lowered:
    """Traces on the Neuron device."""
    return lowering.lower(function, inputs)


def compile(lowered: Lowered, job: Job) -> Mapping[str, Any]:
    """Cuts the graph: torch-neuronx calls neuronx-cc and loads the NEFF, or raises.

    The compile cache is the job's own folder, named in both ways that libneuronxla knows, so that an earlier result
    cannot answer. Never more compilations at one time than the run allows, however many cores there are.
    """
    cache = job.folder / "cache"
    flags = [*job.flags, "--retry_failed_compilation", f"--cache_dir={cache}"]
    os.environ["NEURON_COMPILE_CACHE_URL"] = str(cache)
    os.environ["NEURON_CC_FLAGS"] = shlex.join(flags)
    facts = {"command": f"NEURON_CC_FLAGS={shlex.quote(shlex.join(flags))}", "neff_bytes": 0}
    try:
        with slot(job.slots, job.at_once):
            lowering.synchronise()
    except Exception as error:
        raise CompileFailed(str(error), facts) from error
    return {**facts, "exit_status": 0, "neff_bytes": sum(path.stat().st_size for path in cache.rglob("*.neff"))}


def run(lowered: Lowered) -> tuple[Any, ...]:
    """The outputs that the NeuronCore computed."""
    return lowered.outputs
