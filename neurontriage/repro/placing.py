"""Where attempts run: which target is right here, how many at once, and on which NeuronCores."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from neurontriage.errors import TriageError
from neurontriage.repro import machine
from neurontriage.repro.backends import Backend
from neurontriage.repro.cores import Allocator, cores_at_hand, lnc_of

MB_PER_WORKER = 2500
"""One worker holds torch-xla (0.8 GB) and one attempt that compiles."""
MOST_BY_ITSELF = 2
"""Workers without `--jobs`: a shared machine stays usable."""


def right_target(asked: str, backend: Backend) -> str:
    """The target that was asked for, else the one of this host, else trn1.

    A NeuronCore runs code for its own family only: raises TriageError where a device backend is asked for another.
    """
    here = machine.detected_target()
    if asked and backend.ON_DEVICE and here and asked != here:
        raise TriageError(
            "other-target",
            f"--target {asked}: this host is {machine.instance_type()}, and the backend {backend.NAME} runs on it",
            f"--target {here}, or --backend neuronx-cc to compile without running",
        )
    return asked or here or "trn1"


def allocator(backend: Backend, target: str, asked: str = "") -> Allocator | None:
    """The cores that a backend may use; None for those that need none."""
    if not backend.ON_DEVICE:
        return None
    lnc = lnc_of(target)
    return Allocator(cores_at_hand(asked, machine.physical_cores() // lnc) or (0,), lnc)


@contextmanager
def leased(backend: Backend, target: str, allotted: Allocator | None = None) -> Iterator[dict[str, str]]:
    """The variables that give a process a core of its own, for as long as it needs it; nothing where none is needed."""
    pool = allotted or allocator(backend, target)
    with pool.lease() if pool else nullcontext() as lease:
        yield dict(lease.environment) if lease else {}


def workers(jobs: int, allotted: Allocator | None) -> int:
    """How many cases may run side by side: asked for, else what memory allows; never more than there are cores."""
    by_itself = max(1, min(MOST_BY_ITSELF, os.cpu_count() or 1, available_mb() // MB_PER_WORKER))
    wanted = jobs or (len(allotted) if allotted else by_itself)
    return min(wanted, len(allotted)) if allotted else wanted


def available_mb(meminfo: Path = Path("/proc/meminfo")) -> int:
    """Memory that can be had without swapping; enough for all where the system does not say."""
    try:
        lines = dict(line.split(":", 1) for line in meminfo.read_text().splitlines() if ":" in line)
        return int(lines["MemAvailable"].split()[0]) // 1024
    except (OSError, KeyError, ValueError):
        return MB_PER_WORKER * MOST_BY_ITSELF
