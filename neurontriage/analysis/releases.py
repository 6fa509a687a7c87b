"""The SDK release that ships a package version; the facts are in the knowledge base."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import cast


def sdk_of(package: str, version: str) -> str | None:
    """`neuronx-cc`, `2.5.0.28+1be23f232` → the SDK release, None for a version that no release ships."""
    if find_spec("neurontriage.versions") is None:
        return None
    return cast("str | None", import_module("neurontriage.versions").sdk_of(package, version))
