"""One module per format of the analyze report: `render(analysis) -> str`, a pure function."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

from neurontriage.analysis.model import Analysis


def names() -> list[str]:
    """All formats, found by walking the folder, sorted by name."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem != "__init__")


def renderer(name: str) -> Callable[[Analysis], str]:
    """The `render` function of a format, which is imported only now."""
    return cast(Callable[[Analysis], str], import_module(f"{__name__}.{name}").render)
