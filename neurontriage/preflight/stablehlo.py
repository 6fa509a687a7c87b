"""StableHLO → HLO modules, by the converter of jaxlib where jax is installed.

Text or bytecode (`.mlir`, `.mlirbc`), and what `jax.export` serialises (any suffix, such as `.bin`); compressed too.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

from neurontriage.errors import TriageError
from neurontriage.hlo import files
from neurontriage.preflight.capture import Capture
from neurontriage.preflight.modules import graph_of

SUFFIXES = (".mlir", ".mlirbc", ".stablehlo")
_BYTECODE = b"ML\xefR"
_ROOT, _HEAD = 1024, 1 << 20
"""Where the first table of a FlatBuffer lies at most, and the bytecode in it, as `jax.export` writes them."""
_LIMIT = 300.0
_CONVERT = """
import sys
import jaxlib.xla_client as xla_client
text = sys.stdin.buffer.read()
sys.stdout.buffer.write(xla_client._xla.mlir.mlir_module_to_xla_computation(text).as_serialized_hlo_module_proto())
"""
"""Runs in a child: the converter prints on stderr and may abort on a module that it does not like."""


_FIXED = "its shapes are symbolic, and Neuron compiles fixed ones: lower or export it with the shapes that you run"


def holds(data: bytes) -> bool:
    """Whether the bytes are StableHLO bytecode, or a `jax.export` artifact with it."""
    return bool(bytecode(data))


def bytecode(data: bytes) -> bytes:
    """The bytecode in a file, empty where there is none.

    A `jax.export` artifact is a FlatBuffer that holds it as a vector of bytes: its length stands in the four before.
    """
    if data.startswith(_BYTECODE):
        return data
    at = data.find(_BYTECODE, 0, _HEAD) if int.from_bytes(data[:4], "little") < _ROOT else -1
    return data[at : at + int.from_bytes(data[at - 4 : at], "little")] if at >= 8 else b""


def from_mlir(path: Path) -> Capture:
    """The module in a file. Raises TriageError where jax is absent, or refuses the module."""
    if importlib.util.find_spec("jax") is None:
        raise TriageError(
            "extra-missing",
            f"{path}: StableHLO is read with jax, which is not installed",
            "jax and jaxlib",
            "pip install jax, or give the HLO module (.hlo_module.pb)",
        )
    try:
        data = files.plain(str(path), path.read_bytes())
    except OSError as error:
        raise TriageError("not-stablehlo", f"{path}: cannot be read: {error.strerror}", "a StableHLO module") from None
    if not data.strip():
        raise TriageError("not-stablehlo", f"{path}: the file is empty", "a StableHLO module")
    try:
        ran = subprocess.run(
            [sys.executable, "-c", _CONVERT], input=bytecode(data) or data, capture_output=True, timeout=_LIMIT
        )
    except subprocess.TimeoutExpired:
        raise TriageError("not-stablehlo", f"{path}: not converted in {_LIMIT:.0f} s", "a StableHLO module") from None
    if ran.returncode:
        said = _complaint(ran.stderr)
        hint = _FIXED if "stablehlo.dynamic" in said else ""
        raise TriageError("not-stablehlo", f"{path}: {said}", "a StableHLO module", hint)
    module = files.parse(str(path), ran.stdout).module
    for i in module.instructions:
        if i.metadata.source_file == "-":  # a text without locations: the lines are its own
            i.metadata.source_file = path.name
    return Capture("stablehlo", "StableHLO", (graph_of(module, path.stem),))


def _complaint(said: bytes) -> str:
    """The first error that the converter prints, with its line of the file; what follows repeats it."""
    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    first = next((line for line in lines if "error:" in line), lines[-1] if lines else "refused")
    return first.partition("UNKNOWN: ")[2].removeprefix("-:") or first
