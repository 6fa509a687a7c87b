"""The formats of a measurement: one module each with `render(document) -> str`, found by walking this folder."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SUFFIXES = {".json": "json", ".html": "html", ".htm": "html", ".md": "markdown", ".txt": "terminal"}


def names() -> list[str]:
    """All formats in alphabetical order."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem != "__init__")


def render(name: str, document: Mapping[str, Any]) -> str:
    """The document in one of the formats."""
    text: str = importlib.import_module(f"{__name__}.{name}").render(document)
    return text
