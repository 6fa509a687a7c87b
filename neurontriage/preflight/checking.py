"""What `neurontriage preflight` does: capture, judge, estimate, advise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

from neurontriage.errors import TriageError
from neurontriage.knowledge.catalog import Catalog
from neurontriage.knowledge.versions import Releases, parsed
from neurontriage.operators.judge import Setting
from neurontriage.operators.table import table
from neurontriage.preflight.advice import advise
from neurontriage.preflight.capture import Capture
from neurontriage.preflight.judging import judged
from neurontriage.preflight.memory import Sharding, estimate
from neurontriage.preflight.model import Preflight
from neurontriage.preflight.recompiles import recompilations
from neurontriage.preflight.targets import Wanted, captured

_SHIPS = {"xla": "torch-neuronx"}
"""The package that a frontend ends in: torch-neuronx of torch-xla is in no SDK after 2.31."""


@dataclass(frozen=True)
class Request:
    """What the user asked for; `sdk` empty: the newest that ships what the frontend needs."""

    wanted: Wanted
    target: str = "trn1"
    sdk: str = ""
    flags: tuple[str, ...] = ()
    sharding: Sharding = field(default_factory=Sharding)
    accuracy: bool = False


def check(request: Request, catalog: Catalog) -> Preflight:
    """The whole answer. Raises TriageError for wrong input."""
    if request.target not in table().targets:
        raise TriageError("wrong-target", f"--target {request.target}: no such target", ", ".join(table().targets))
    if request.sdk and len(parsed(request.sdk)) < 2:
        raise TriageError("wrong-sdk", f"--sdk {request.sdk}: not a release", "such as 2.31 or 2.31.1")
    found = captured(request.wanted)
    sdk = request.sdk or default_sdk(catalog.releases, found.frontend)
    setting = Setting(request.target, sdk, request.flags)
    return _answer(request, found, setting, catalog)


def _answer(request: Request, found: Capture, setting: Setting, catalog: Catalog) -> Preflight:
    result = judged(found, setting, lambda entry: catalog.articles.get(entry))
    memory = estimate(found, setting.target, request.sharding)
    accuracy = None
    if request.accuracy:
        from neurontriage.preflight.accuracy import agreement
        from neurontriage.triage import explain_text

        accuracy = agreement(found, setting, lambda text: explain_text(text, "compiler output", catalog))
    return Preflight(
        target_file=request.wanted.target,
        target=setting.target,
        sdk=setting.sdk,
        sdk_given=bool(request.sdk),
        flags=setting.flags,
        frontend=found.frontend,
        rows=result.rows,
        graphs=found.graphs,
        breaks=found.breaks,
        recompilations=(*found.recompilations, *recompilations(found.graphs)),
        memory=memory,
        percent=result.percent,
        notes=found.notes,
        advice=advise(found, setting, memory),
        ended=found.ended,
        accuracy=accuracy,
        versions=_versions(catalog.releases, setting.sdk),
        unsorted=found.unsorted,
    )


def default_sdk(releases: Releases, frontend: str) -> str:
    """The newest release that ships the package which the frontend ends in."""
    package = _SHIPS.get(frontend, "neuronx-cc")
    shipping = (r["sdk"] for r in releases.table.get("releases", ()) if package in r["packages"])
    return str(next(shipping, releases.latest))


def _versions(releases: Releases, sdk: str) -> Mapping[str, str]:
    """neuronx-cc and torch-neuronx of a release, as its table says; what is installed here for torch and torch-xla."""
    release: Mapping[str, Any] = next(
        (r for r in releases.table.get("releases", ()) if (r["sdk"] + ".").startswith(sdk + ".")), {}
    )
    found = {
        name: numbers[0]
        for name, numbers in release.get("packages", {}).items()
        if name in ("neuronx-cc", "torch-neuronx")
    }
    for package in ("torch", "torch-xla"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found
