"""What a result was made with: the compiler itself, the driver, the instance. Asked once per process."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from neurontriage.repro import environment

VERSION = re.compile(r"\b(\d+\.\d+\.\d+(?:\.\d+)?(?:\+[0-9a-f]+)?)")
RELEASE = re.compile(r"^2\.\d+\.\d+\.\d+")
PATIENCE = 120
"""Seconds for the compiler to say its version: its first import is slow."""
DRIVER, PRODUCT = Path("/sys/module/neuron/version"), Path("/sys/class/dmi/id/product_name")
"""The driver's version; on EC2 the product name is the instance type."""
FAMILY = re.compile(r"^(trn1n|trn1|trn2|trn3|inf2)")
CORES_OF = {"trn1.2xlarge": 2, "trn1.32xlarge": 32, "trn1n.32xlarge": 32, "trn2.48xlarge": 128, "trn2.3xlarge": 8}
CORES_OF |= {"inf2.xlarge": 2, "inf2.8xlarge": 2, "inf2.24xlarge": 12, "inf2.48xlarge": 24}
"""Physical NeuronCores where neuron-ls cannot be asked."""


def compiler() -> dict[str, str | None]:
    """`path`, `version` as it prints it, and `digest` of neuronx-cc; all None where there is none."""
    found = environment.compiler()
    if found is None:
        return {"path": None, "version": None, "digest": None}
    status = found.stat()
    return dict(_identified(str(found), status.st_mtime_ns, status.st_size))


def genuine(found: dict[str, str | None]) -> bool:
    """Whether it says a release number of neuronx-cc: a stand-in does not."""
    return RELEASE.match(found.get("version") or "") is not None


@cache
def _identified(path: str, _changed: int, _size: int) -> tuple[tuple[str, str | None], ...]:
    return (("path", path), ("version", _version(path)), ("digest", _digest(Path(path))))


def _version(path: str) -> str | None:
    try:
        ran = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=PATIENCE, errors="replace")
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = VERSION.search(ran.stdout) or VERSION.search(ran.stderr)
    first = (ran.stdout.strip() or ran.stderr.strip()).splitlines()[:1]
    return found.group(1) if found else (first[0][:80] if first and ran.returncode == 0 else None)


def _digest(path: Path) -> str:
    """Of the executable and of its package's list of files: the executable alone is the same in every release."""
    try:
        record = metadata.distribution("neuronx-cc").read_text("RECORD") or ""
    except metadata.PackageNotFoundError:
        record = ""
    return "sha256:" + hashlib.sha256(path.read_bytes() + record.encode()).hexdigest()


def driver() -> str | None:
    """The version of the Neuron kernel driver."""
    return DRIVER.read_text().strip() if DRIVER.is_file() else None


def instance_type() -> str | None:
    """The EC2 instance type, where the host is one of the Neuron families."""
    name = os.environ.get("NEURONTRIAGE_INSTANCE") or (PRODUCT.read_text().strip() if PRODUCT.is_file() else "")
    return name if FAMILY.match(name) else None


def detected_target() -> str | None:
    """The instance family of this host as the compiler calls it."""
    match = FAMILY.match(instance_type() or "")
    return match.group(1) if match else None


def physical_cores() -> int:
    """How many physical NeuronCores this host has; 0 where there are none."""
    listed = _neuron_ls()
    return sum(int(each.get("nc_count", 0)) for each in listed) or CORES_OF.get(instance_type() or "", 0)


def _neuron_ls() -> list[dict[str, Any]]:
    tool = shutil.which("neuron-ls") or shutil.which("neuron-ls", path="/opt/aws/neuron/bin")
    try:
        ran = subprocess.run([tool, "--json-output"], capture_output=True, text=True, timeout=30) if tool else None
        found = json.loads(ran.stdout) if ran and ran.returncode == 0 else []
    except (OSError, subprocess.TimeoutExpired, json.JSONDecodeError):
        return []
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
