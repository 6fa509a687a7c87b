"""neuronx-cc on any x86 Linux host: HLO lowered on CPU, compiled to a NEFF, never executed."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from neurontriage.repro import environment as installed
from neurontriage.repro import lowering, processes
from neurontriage.repro.backends import CompileFailed, Job, xla_cpu
from neurontriage.repro.case import Compiler, Function, Stack
from neurontriage.repro.lowering import Lowered

NAME = "neuronx-cc"
SHOWS: tuple[Compiler, ...] = ("neuronx-cc", "xla-cpu")
NUMBERS_FROM, ON_DEVICE = "xla-cpu", False
STACK: Stack = "xla"
PROTO, NEFF, LOG = "graph.hlo_module.pb", "graph.neff", "neuronx-cc.log"


def missing() -> str:
    """No executable, a placeholder package, or no torch-xla to lower with."""
    if installed.compiler() is None:
        return installed.placeholder("neuronx-cc") or "neuronx-cc not found on PATH"
    return xla_cpu.missing()


def environment(target: str) -> Mapping[str, str]:
    """Lowering happens on the CPU client; NKI cannot see the target on a host without devices."""
    return {**xla_cpu.environment(target), "NEURON_PLATFORM_TARGET_OVERRIDE": target}


def lower(function: Function, inputs: Sequence[Any], leaves: bool = False) -> Lowered:
    """Traces on the CPU client: its instruction ids fit the compiler's 32 bits."""
    return lowering.lower(function, inputs)


def compile(lowered: Lowered, job: Job) -> Mapping[str, Any]:
    """Compiles the HLO module in the job's own folder; its output goes to a log of its own."""
    job.folder.mkdir(parents=True, exist_ok=True)
    (job.folder / PROTO).write_bytes(lowered.proto)
    log, neff = job.folder / LOG, job.folder / NEFF
    log.unlink(missing_ok=True)
    neff.unlink(missing_ok=True)
    ended = processes.run(command(job), job.folder, log, job.limit)
    facts = {
        "command": shlex.join(command(job)),
        "exit_status": ended.status,
        "timed_out": ended.timed_out,
        "compile_seconds": round(ended.seconds, 3),
        "compiler_peak_mb": round(ended.peak_mb, 1),
        "neff_bytes": neff.stat().st_size if neff.is_file() else 0,
    }
    fault = failure(ended, neff)
    if fault:
        raise CompileFailed(f"neuronx-cc: {fault}", facts)
    return facts


def run(lowered: Lowered) -> tuple[Any, ...]:
    """The numbers of the CPU client: a NEFF cannot run on this host."""
    lowering.synchronise()
    return lowered.outputs


def command(job: Job) -> list[str]:
    """The documented command line of neuronx-cc that compiles PROTO of the working folder to NEFF."""
    options = ["--framework", "XLA", PROTO, "--target", job.target, "--output", NEFF, "--verbose", "info"]
    return [str(installed.compiler() or "neuronx-cc"), "compile", *options, *job.flags]


def failure(ended: processes.Ended, neff: Path) -> str:
    """How the compilation went wrong, also when it says 0 and leaves no NEFF; empty when it did not."""
    if ended.fault:
        return ended.fault
    if not neff.is_file() or neff.stat().st_size == 0:
        return f"exit status 0 but no NEFF at {neff.name}"
    return ""
