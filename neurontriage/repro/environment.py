"""Which compilers and package versions are installed, read from metadata without importing them."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

PACKAGES = ("torch", "torch-xla", "torch-neuronx", "libneuronxla", "neuronx-cc")
PLACEHOLDER_TEXT = "WRONG PACKAGE"
"""What the packages of these names on PyPI say in their description; they hold no code."""


def version(package: str) -> str | None:
    """The installed version of a distribution, None when it is absent."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def versions() -> dict[str, str]:
    """All installed packages that matter for a compilation."""
    found = {package: version(package) for package in PACKAGES}
    return {package: number for package, number in found.items() if number}


def placeholder(package: str) -> str:
    """Names the PyPI placeholder that is installed instead of the real Neuron package, else empty."""
    try:
        found = metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return ""
    if PLACEHOLDER_TEXT not in (found.read_text("METADATA") or ""):
        return ""
    return f"{package} {found.version} is the placeholder from PyPI, not the Neuron package"


def xla_problem() -> str:
    """Why torch and torch-xla cannot work together here; empty when they can."""
    torch, torch_xla = version("torch"), version("torch-xla")
    if torch is None or torch_xla is None:
        missing = [name for name, found in (("torch", torch), ("torch-xla", torch_xla)) if found is None]
        return f"{' and '.join(missing)} not installed"
    return "" if _minor(torch) == _minor(torch_xla) else f"torch {torch} does not work with torch-xla {torch_xla}"


def compiler() -> Path | None:
    """The neuronx-cc executable: on PATH, or beside this Python."""
    found = shutil.which("neuronx-cc") or shutil.which("neuronx-cc", path=str(Path(sys.executable).parent))
    return Path(found) if found else None


def nki_missing(packages: Sequence[str]) -> str:
    """Why a kernel cannot be built: none of these packages is here; empty when one is, or none is needed."""
    if not packages or any(map(_importable, packages)):
        return ""
    return f"{' or '.join(packages)} is not installed: the kernel cannot be built"


def _importable(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:  # of its parent
        return False


def devices() -> list[Path]:
    """The Neuron devices of this machine."""
    return sorted(Path("/dev").glob("neuron[0-9]*"))


def _minor(number: str) -> str:
    match = re.match(r"\d+\.\d+", number)
    return match.group() if match else number
