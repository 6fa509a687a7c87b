"""A module before it is compiled: HLO and StableHLO files only, because judging Python would run it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from neurontriage.errors import TriageError
from neurontriage.knowledge.catalog import Catalog

_ROOM = "neurontriage.preflight"
_EXPECTED = "an HLO module (.hlo, .pb, .txt) or StableHLO (.mlir)"


def judged(path: Path, target: str, catalog: Catalog) -> Iterator[str]:
    """The answer of preflight in paragraphs. Raises TriageError for what is no module."""
    if path.is_dir() or path.suffix in (".py", ".pt2", ".pt", ".pkl"):
        raise TriageError(
            "not-a-module", f"{path.name}: would have to be run", _EXPECTED, "neurontriage preflight, by hand"
        )
    checking: Any = importlib.import_module(f"{_ROOM}.checking")
    targets: Any = importlib.import_module(f"{_ROOM}.targets")
    formats: Any = importlib.import_module(f"{_ROOM}.formats.terminal")
    frontend = "stablehlo" if path.suffix == ".mlir" else "hlo"
    wanted = targets.Wanted(str(path), (), frontend)
    yield from formats.render(checking.check(checking.Request(wanted, target), catalog)).split("\n\n")
