"""The devices that can be measured, one module each; what `auto` takes, and what is missing where one fails."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, cast

from neurontriage.errors import TriageError
from neurontriage.measure.device import Connection
from neurontriage.measure.plan import BACKENDS

STRONGEST_FIRST = ("neuron", "torchneuron", "xla-cpu")


class Backend(Protocol):
    """What a module of this folder offers; only `connect` imports torch."""

    NAME: str
    INSTALL: str
    TIMES: str
    """What the times of this backend are times of, for the reader."""
    PROCESSES: int
    """How many processes repeat everything by default."""
    SHARED_CACHE: bool
    """The first process compiles, all later ones load what it left in the cache."""

    @staticmethod
    def missing() -> str:
        """Why this backend cannot be used here; empty when it can."""

    @staticmethod
    def environment(folder: Path, process: int) -> Mapping[str, str]:
        """Environment variables of a worker; `folder` is empty at the start of the measurement."""

    @staticmethod
    def connect() -> Connection:
        """The device, not yet initialised; the first import of torch happens here."""


def load(name: str) -> Backend:
    """The backend of this name."""
    return cast(Backend, importlib.import_module(f"{__name__}.{name.replace('-', '_')}"))


def choose(name: str) -> Backend:
    """The backend that was asked for; for `auto` the first that can be used. TriageError when there is none."""
    if name not in BACKENDS:
        raise TriageError("wrong-backend", f"--backend {name}: no such choice", ", ".join(BACKENDS))
    if name == "auto":
        usable = [backend for backend in map(load, STRONGEST_FIRST) if not backend.missing()]
        name = usable[0].NAME if usable else "xla-cpu"
    backend = load(name)
    if problem := backend.missing():
        raise TriageError(
            "backend-missing", f"the backend {name} cannot be used: {problem}", "an installed backend", backend.INSTALL
        )
    return backend
