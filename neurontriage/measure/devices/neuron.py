"""torch-neuronx with torch-xla on trn1, inf2 or trn2: the first process calls neuronx-cc, the others load its NEFFs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from neurontriage.measure.device import Connection
from neurontriage.repro.backends import neuron as reproducing

NAME = "neuron"
INSTALL = "pip install neuronx-cc==2.* torch-neuronx --extra-index-url https://pip.repos.neuron.amazonaws.com"
TIMES = "one NeuronCore; compilations by neuronx-cc into a fresh cache folder"
PROCESSES = 3
SHARED_CACHE = True
_CACHE_FLAG = "--cache_dir"


def missing() -> str:
    """No Neuron device, or a package that is absent or only its placeholder."""
    return reproducing.missing()


def environment(folder: Path, process: int) -> Mapping[str, str]:
    """A compile cache of this measurement alone: a user's own `--cache_dir` would answer with earlier results."""
    words = os.environ.get("NEURON_CC_FLAGS", "").split()
    return {
        "PJRT_DEVICE": "NEURON",
        "NEURON_RT_VISIBLE_CORES": os.environ.get("NEURON_RT_VISIBLE_CORES", "0"),
        "NEURON_COMPILE_CACHE_URL": str(folder / "cache"),
        "NEURON_CC_FLAGS": " ".join(_without_cache(words)),
    }


def _without_cache(words: list[str]) -> list[str]:
    kept: list[str] = []
    skip = False
    for word in words:
        if not skip and not word.startswith(_CACHE_FLAG):
            kept.append(word)
        skip = word == _CACHE_FLAG
    return kept


def connect() -> Connection:
    """The NeuronCore as an XLA device."""
    from neurontriage.measure.devices.xla import connection

    return connection()
