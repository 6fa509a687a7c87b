"""One module per format of a preflight: `render(preflight) -> str`, a pure function."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

from neurontriage.preflight.model import Preflight


def names() -> list[str]:
    """All formats, found by walking the folder, sorted by name."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem != "__init__")


def renderer(name: str) -> Callable[[Preflight], str]:
    """The `render` function of a format, which is imported only now."""
    return cast(Callable[[Preflight], str], import_module(f"{__name__}.{name}").render)
