"""StableHLO (`.mlir`) → HLO modules, by the converter of jaxlib where jax is installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

from neurontriage.errors import TriageError
from neurontriage.hlo import files
from neurontriage.preflight.capture import Capture
from neurontriage.preflight.modules import graph_of

_LIMIT = 300.0
_CONVERT = """
import sys
from jax._src.lib import xla_client
text = open(sys.argv[1], "rb").read()
sys.stdout.buffer.write(xla_client._xla.mlir.mlir_module_to_xla_computation(text).as_serialized_hlo_module_proto())
"""
"""Runs in a child: the converter prints on stderr and may abort on a module that it does not like."""


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
        ran = subprocess.run(
            [sys.executable, "-c", _CONVERT, str(path)], capture_output=True, timeout=_LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        raise TriageError("not-stablehlo", f"{path}: not converted in {_LIMIT:.0f} s", "a StableHLO module") from None
    if ran.returncode:
        raise TriageError("not-stablehlo", f"{path}: {_complaint(ran.stderr)}", "a StableHLO module")
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
