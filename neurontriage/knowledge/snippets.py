"""Commands that depend on releases: computed from `versions.yaml` and from what the log prints, always pinned.

An upgrade names every package of the stack with the version of one SDK release, because packages of two releases do
not fit together: https://awsdocs-neuron.readthedocs-hosted.com/en/latest/release-notes/index.html
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neurontriage.knowledge.versions import Releases, below

_INDEX = "https://pip.repos.neuron.amazonaws.com"
_XLA = ("torch-neuronx", "neuronx-cc")
_JAX = ("jax-neuronx", "neuronx-cc", "libneuronxla")
_INF1 = ("torch-neuron", "neuron-cc")


def filled(workaround: Mapping[str, Any], environment: Mapping[str, str], releases: Releases) -> dict[str, Any]:
    """A workaround as an entry writes it, with the command that its `snippet` stands for in `after`.

    `environment`: the versions that a log prints; without any, the command is that of the newest release. Where the log
    runs the newest release of its stack already, a sentence that says so takes the place of the command. `install`
    keeps to the release that the log's own versions belong to.
    """
    given = dict(workaround)
    if given.get("snippet") is None:
        return given
    if given["snippet"] == "install":
        pins = _of_the_log(environment, releases)
        return {**given, "after": _install(pins)} if pins else given
    pins = releases.newest(_packages(given["snippet"], environment))
    if pins and all(name in environment and not below(environment[name], pin) for name, pin in pins.items()):
        known = ", ".join(f"{name} {environment[name]}" for name in pins)
        detail = f"This log runs the newest release of its stack already ({known}): wait for the next one."
        return {**given, "detail": detail, "short": detail[:140], "after": None}
    return {**given, "after": _install(pins)} if pins else given


def _of_the_log(environment: Mapping[str, str], releases: Releases) -> dict[str, str]:
    """The packages of the release that the log's versions point to, the log's own version where it prints one.

    Where that release did not ship all of them (torch-neuronx is not in SDK 2.32), the newest that did.
    """
    packages = _packages("install", environment)
    shipped = releases.shipped(packages, releases.known(environment).get("sdk", ""))
    own = {name: environment.get(name, pin).split("+")[0] for name, pin in shipped.items()}
    return own or releases.newest(packages)


def _packages(snippet: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    if snippet == "upgrade-inf1" or {"neuron-cc", "torch-neuron"} & environment.keys():
        return _INF1
    if snippet == "upgrade-nki":
        return ("nki", *_XLA)
    jax = "jax-neuronx" in environment and "torch-neuronx" not in environment
    return _JAX if jax else _XLA


def _install(pins: Mapping[str, str]) -> str:
    """One line for pip; in alphabetical order, so that it reads the same everywhere."""
    extras = {"neuron-cc": '"neuron-cc[tensorflow]=={}"'}
    pinned = " ".join(extras.get(name, f"{name}=={{}}").format(version) for name, version in sorted(pins.items()))
    return f"pip install {pinned} --extra-index-url {_INDEX}\n"
