"""Formats of a diagnosis: each module of this folder is one, with a pure `render(diagnosis) -> str`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import cast

from neurontriage.model import Diagnosis


def names() -> list[str]:
    """All formats, found by walking the folder, sorted by name."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem != "__init__")


def renderer(name: str) -> Callable[[Diagnosis], str]:
    """The `render` function of a format, which is imported only now."""
    module = importlib.import_module(f"{__name__}.{name}")
    return cast(Callable[[Diagnosis], str], module.render)


def pieces(name: str, diagnosis: Diagnosis) -> Iterable[str]:
    """A diagnosis in a format, piece by piece where it can be had so, else at once."""
    module = importlib.import_module(f"{__name__}.{name}")
    made = getattr(module, "pieces", None)
    return cast(Iterable[str], made(diagnosis)) if made else [module.render(diagnosis)]


def wants_context(name: str) -> bool:
    """Whether a format shows the lines around the evidence, which takes a second pass over the logs."""
    return bool(getattr(importlib.import_module(f"{__name__}.{name}"), "CONTEXT", False))
