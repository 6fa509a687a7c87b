"""torch-xla with its CPU client: counts carry over to Neuron, times do not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from neurontriage.measure.device import Connection
from neurontriage.repro import environment as installed

NAME = "xla-cpu"
INSTALL = "pip install 'neurontriage[xla]'"
TIMES = "this CPU: counts (graphs, compilations, executions, synchronisations) carry over to Neuron, times do not"
PROCESSES = 3
SHARED_CACHE = False


def missing() -> str:
    """A missing package, or torch and torch-xla that do not work together."""
    if problem := installed.xla_problem():
        return problem
    return "" if installed.version("scipy") else "scipy not installed"


def environment(folder: Path, process: int) -> Mapping[str, str]:
    """The CPU client of PJRT."""
    return {"PJRT_DEVICE": "CPU"}


def connect() -> Connection:
    """The CPU as an XLA device."""
    from neurontriage.measure.devices.xla import connection

    return connection()
