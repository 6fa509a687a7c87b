"""Installed Python packages against the table of releases, and the placeholders of the public index."""

from __future__ import annotations

from collections.abc import Iterator

from neurontriage.doctor.check import Check, Look
from neurontriage.doctor.host import Host
from neurontriage.knowledge.versions import Releases, parsed

_PLACEHOLDER = Look("placeholder-wheels", "Neuron packages are the real ones")
_TORCH = Look("torch", "torch, torch-xla and torch-neuronx belong together")
_RELEASE = Look("release", "Neuron packages are of one SDK release")
_PYTHON = Look("python", "Python is supported by the Neuron packages")
_NEURON = ("neuronx-cc", "torch-neuronx", "libneuronxla", "neuronx-distributed", "neuron-cc", "torch-neuron")
_FRAMEWORKS = ("neuronx-cc", "torch-neuronx", "libneuronxla")
_OLDEST = (((2, 25), "2.30", (3, 11)), ((2, 22), "2.27", (3, 10)))
"""From a compiler on (and the SDK that brought it): the oldest Python with wheels. Source: the manifest of the SDK."""


def check(host: Host, releases: Releases) -> Iterator[Check]:
    """Placeholders, torch, one release, Python."""
    yield _placeholders(host)
    yield _torch(host)
    yield _release(host, releases)
    yield _python(host)


def _placeholders(host: Host) -> Check:
    found = [f"{name} {package.version}" for name, package in host.packages.items() if package.placeholder]
    if found:
        return _PLACEHOLDER.fault(
            "PKG-PlaceholderWheel",
            f"{', '.join(found)}: only raises WRONG PACKAGE when imported",
            packages=", ".join(found),
        )
    real = [f"{name} {host.packages[name].version}" for name in _NEURON if name in host.packages]
    return _PLACEHOLDER.ok(", ".join(real)) if real else _PLACEHOLDER.not_run("no Neuron package in this Python")


def _torch(host: Host) -> Check:
    """The first three numbers of torch-neuronx are the torch it was built for; torch-xla has the same major.minor."""
    torch, xla, neuron = (host.version(name) for name in ("torch", "torch-xla", "torch-neuronx"))
    if torch is None or (xla is None and neuron is None):
        return _TORCH.not_run(
            "torch is not installed" if torch is None else "neither torch-xla nor torch-neuronx is installed"
        )
    versions = {
        name: version for name, version in (("torch", torch), ("torch-xla", xla), ("torch-neuronx", neuron)) if version
    }
    said = ", ".join(f"{name} {version}" for name, version in versions.items())
    others = [
        one
        for one in (xla, neuron)
        if one is not None and not host.packages["torch-neuronx" if one is neuron else "torch-xla"].placeholder
    ]
    if any(parsed(one)[:2] != parsed(torch)[:2] for one in others):
        return _TORCH.fault("PY-TorchExtensionMismatch", f"{said}: built for different releases of torch", **versions)
    return _TORCH.ok(said, **versions)


def _release(host: Host, releases: Releases) -> Check:
    """Whether some SDK release shipped all of the packages; patch releases share versions."""
    installed = {
        name: package.version
        for name, package in host.packages.items()
        if name in _FRAMEWORKS and not package.placeholder
    }
    shipped = {name: set(releases.sdk_of(name, version)) for name, version in installed.items()}
    known = {name: sdks for name, sdks in shipped.items() if sdks}
    if len(known) < 2:
        return _RELEASE.not_run("fewer than two Neuron packages that a release is known for")
    said = ", ".join(f"{name} {installed[name]} (SDK {_span(sdks)})" for name, sdks in sorted(known.items()))
    if set.intersection(*known.values()):
        return _RELEASE.ok(said, **installed)
    lines = [{sdk.rpartition(".")[0] for sdk in sdks} for sdks in known.values()]
    if set.intersection(*lines):
        return _RELEASE.ok(f"{said}: patch releases of one line", **installed)
    return _RELEASE.fault("NCC-IncompatibleVersion", f"{said}: no release shipped them together", **installed)


def _span(sdks: set[str]) -> str:
    ordered = sorted(sdks, key=parsed)
    return ordered[0] if len(ordered) == 1 else f"{ordered[0]} to {ordered[-1]}"


def _python(host: Host) -> Check:
    """What a release of the compiler needs at least (`_OLDEST`); torch-neuronx 2.7 has no wheel for 3.12."""
    said = f"Python {host.python[0]}.{host.python[1]}"
    compiler, torch = host.version("neuronx-cc"), host.version("torch-neuronx")
    if compiler is None and torch is None:
        return _PYTHON.not_run("no Neuron package in this Python")
    for first, sdk, oldest in _OLDEST if compiler is not None else ():
        if host.python < oldest and parsed(compiler)[:2] >= first:
            needed = f"SDK {sdk} and later need {oldest[0]}.{oldest[1]}"
            return _PYTHON.fault("PY-PythonUnsupported", f"{said} with neuronx-cc {compiler}: {needed}", python=said)
    if host.python >= (3, 12) and torch is not None and parsed(torch)[:2] == (2, 7):
        return _PYTHON.fault(
            "PY-PythonUnsupported", f"{said} with torch-neuronx {torch}, which is made for 3.11 and older", python=said
        )
    return _PYTHON.ok(said)
