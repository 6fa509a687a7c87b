"""The host as the checks see it: files below a root, environment, installed packages, output of read-only tools."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

Run = Callable[[tuple[str, ...]], str | None]
_NEURON = re.compile(
    r"neuron|^torch|^jax|^numpy$|^protobuf$|^nki$|^vllm|^transformers$|^optimum|^neuronx", re.IGNORECASE
)
_SECONDS = 20
_PLACEHOLDER = "WRONG PACKAGE"
_SMALL = 20_000


@dataclass(frozen=True, slots=True)
class Package:
    """An installed Python distribution; `placeholder`: one that holds nothing but an error, from the public index."""

    version: str
    placeholder: bool = False


@dataclass(frozen=True)
class Host:
    """Everything is read through this, so that a recorded host can stand for a real one.

    `run` gives the standard output of a command, None when there is no such program or it fails to start.
    """

    root: Path
    environ: Mapping[str, str]
    packages: Mapping[str, Package]
    run: Run
    python: tuple[int, int]

    def path(self, name: str) -> Path:
        """An absolute path of the host, below its root."""
        return self.root / name.lstrip("/")

    def read(self, name: str) -> str | None:
        """The text of a small file, None when it is not there or may not be read."""
        try:
            return self.path(name).read_text(errors="replace")
        except OSError:
            return None

    def matches(self, pattern: str) -> list[str]:
        """Absolute paths of the host that a glob means, sorted."""
        found = self.root.glob(pattern.lstrip("/"))
        return sorted("/" + str(one.relative_to(self.root)) for one in found)

    def version(self, package: str) -> str | None:
        """The version of an installed Python package."""
        found = self.packages.get(package)
        return found.version if found else None


def here() -> Host:
    """The host that this program runs on."""
    import sys

    return Host(Path("/"), dict(os.environ), _packages(metadata.distributions()), _run, sys.version_info[:2])


def _packages(distributions: Iterable[metadata.Distribution]) -> dict[str, Package]:
    found = {}
    for one in distributions:
        name = re.sub(r"[-_.]+", "-", one.metadata["Name"] or "").lower()
        if _NEURON.search(name) and name not in found:
            found[name] = Package(one.version, _holds_nothing(one))
    return found


def _holds_nothing(distribution: metadata.Distribution) -> bool:
    """Whether a package is one of those that only raise "WRONG PACKAGE" when they are imported."""
    sources = [one for one in distribution.files or () if str(one).endswith(".py")]
    if not 0 < len(sources) <= 5:
        return False
    texts = (Path(str(one.locate())) for one in sources)
    return any(
        path.is_file() and path.stat().st_size < _SMALL and _PLACEHOLDER in path.read_text(errors="replace")
        for path in texts
    )


def _run(command: tuple[str, ...]) -> str | None:
    places = os.environ.get("PATH", "") + ":/opt/aws/neuron/bin:/opt/amazon/efa/bin:/usr/sbin"
    program = shutil.which(command[0], path=places)
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, *command[1:]],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout + done.stderr
