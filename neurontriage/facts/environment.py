"""Versions and targets that a log prints about itself: version lines, paths, cache folders, package lists."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from neurontriage.facts.settings import COMMAND, VARIABLE, Set
from neurontriage.lines.linear import compiled
from neurontriage.lines.remembered import remembered
from neurontriage.model import Line


class Printed(NamedTuple):
    """Where a log prints a fact about its environment; group 1 is the value. `rank`: lower is more trustworthy."""

    name: str
    regex: str
    rank: int = 0

    @property
    def compiled(self) -> re.Pattern[str]:
        return compiled(self.regex)


_PACKAGES = (
    "neuronx-cc",
    "neuron-cc",
    "torch-neuronx",
    "torch-neuron",
    "torch-xla",
    "libneuronxla",
    "neuronx-distributed-training",
    "neuronx-distributed-inference",
    "neuronx-distributed",
    "transformers-neuronx",
    "optimum-neuron",
    "tensorflow-neuronx",
    "tensorflow-neuron",
    "jax-neuronx",
    "aws-neuronx-runtime-lib",
    "aws-neuronx-collectives",
    "aws-neuronx-dkms",
    "vllm",
    "torch",
    "numpy",
    "transformers",
)


_SET = ""
"""The name of places that show settings: facts/settings.py reads them."""


def _listed(package: str) -> Printed:
    """A row of `pip list`, `pip freeze`, `apt list` or a wheel's name."""
    spelled = package.replace("-", "[-_]")
    name = {
        "aws-neuronx-runtime-lib": "runtime",
        "aws-neuronx-collectives": "collectives",
        "aws-neuronx-dkms": "driver",
    }
    return Printed(
        name.get(package, package), rf"(?:^|[\s'\"]){spelled}(?:==|-|[ \t]+|/\w+[ ,\w]* )(\d+\.\d[\w.+]*)", 1
    )


PATTERNS = (
    Printed("neuronx-cc", r"NeuronX Compiler version (\d+\.[\w.+]+)"),
    Printed("neuron-cc", r"Neuron Compiler version (\d+\.[\w.+]+)"),
    Printed("neuronx-cc", r"neuronxcc-(\d+\.[\w.+]+)/", 1),
    Printed("neuronx-cc", r"\"neuronx_cc_version\": \"(\d[\w.+]+)\"", 1),
    Printed("torch-neuronx", r"\"torch_neuronx_version\": \"(\d[\w.+]+)\"", 1),
    Printed("libneuronxla", r"\[libneuronxla (\d+\.[\w.+]+)\]", 0),
    Printed("python", r"Python version (\d+\.\d+\.\d+)"),
    Printed("python", r"/python(\d\.\d+)/(?:site|dist)-packages/", 1),
    Printed("runtime", r"NRT version: (\d+\.\w[\w.]*)"),
    Printed("driver", r"Driver version: (\d+\.\w[\w.]*)"),
    Printed("driver", r"Neuron Driver Started with Version:(\d+\.[\d.]+)"),
    Printed("collectives", r"CCOM version: (\d+\.\w[\w.]*)"),
    Printed("vllm", r"vLLM API server version (\d+\.[\w.]+)"),
    Printed("vllm", r"Initializing a[n \w]*LLM engine \(v(\d+\.[\w.]+)\)"),
    Printed("torch", r"aws_neuronx_venv_pytorch_(\d_\d+)(?:_\w+)?/", 3),
    Printed("target", r"--target[= ](trn\w+|inf\w+)"),
    Printed("target", r"exceeds HBM limit of [\d.]+ ?GB for (\w+)", 1),
    Printed("target", r"instance[-_ ]type: ?(trn\w+|inf\w+)", 1),
    *(_listed(package) for package in _PACKAGES),
    Printed(_SET, VARIABLE),
    Printed(_SET, COMMAND),
)


class Environment:
    """Collects what a log prints; the most trustworthy place wins, and among equals the first."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str]] = {}
        self.set = Set()

    def read(self, line: Line, numbers: Iterable[int]) -> None:
        """Take up the values of the patterns `numbers` from a line that they touched."""
        for number in numbers:
            printed = PATTERNS[number]
            if printed.name == _SET:
                self.set.read(line.text)
                continue
            known = self._found.get(printed.name)
            if known is not None and known[0] <= printed.rank:
                continue
            if (value := _value(number, line.text)) is not None:
                self._found[printed.name] = (printed.rank, value)

    def lacks(self, numbers: Iterable[int]) -> bool:
        """Whether one of the patterns `numbers` may say what no place as trustworthy has said yet."""
        found = self._found
        return any(
            one.name != _SET and ((known := found.get(one.name)) is None or one.rank < known[0])
            for one in map(PATTERNS.__getitem__, numbers)
        )

    def take(self, later: Environment) -> None:
        """Take in what a later part of the incident prints."""
        for name, found in later._found.items():
            if name not in self._found or found[0] < self._found[name][0]:
                self._found[name] = found
        self.set.take(later.set)

    def values(self) -> dict[str, str]:
        """What was found, by name in alphabetical order."""
        return {name: self._found[name][1] for name in sorted(self._found)}


@remembered(512)
def _value(number: int, text: str) -> str | None:
    """What a pattern finds in a line; ranks print the same ones."""
    printed = PATTERNS[number]
    found = printed.compiled.search(text)
    return _cleaned(printed.name, found[1]) if found else None


def _cleaned(name: str, value: str) -> str:
    value = value.rstrip(".")
    return value.replace("_", ".").lower() if name in ("torch", "target") else value
