"""The versions that a command runs with, told by what is installed beside its interpreter; nothing is executed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

_WANTED = re.compile(
    r"^(neuronx[-_]cc|neuron[-_]cc|torch[-_]neuronx?|torch[-_]xla|libneuronxla|jax[-_]neuronx|jax|torch|transformers|"
    r"neuronx[-_]distributed(?:[-_]training|[-_]inference)?|transformers[-_]neuronx|optimum[-_]neuron|vllm|numpy)"
    r"-(\d[\w.+!]*)\.dist-info$",
    re.IGNORECASE,
)


def versions(command: str) -> bytes:
    """Rows like those of `pip freeze` for the packages that matter here; none when the interpreter is not known."""
    rows = sorted({f"{name.replace('_', '-').lower()}=={version}" for name, version in _installed(command)})
    return "".join(f"{row}\n" for row in rows).encode()


def _installed(command: str) -> Iterator[tuple[str, str]]:
    place = shutil.which(command)
    if place is None:
        return
    for packages in Path(place).parent.parent.glob("lib/python3*/site-packages"):
        for folder in packages.glob("*.dist-info"):
            if found := _WANTED.match(folder.name):
                yield found[1], found[2]
