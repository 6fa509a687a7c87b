"""A module before it is compiled: HLO and StableHLO files only, because judging Python would run it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from neurontriage.errors import TriageError
from neurontriage.knowledge.catalog import Catalog

_EXPECTED = "an HLO module (.hlo, .pb, .txt) or StableHLO (.mlir)"


def judged(path: Path, target: str, catalog: Catalog) -> Iterator[str]:
    """The answer of preflight in paragraphs. Raises TriageError for what is no module."""
    if path.is_dir() or path.suffix in (".py", ".pt2", ".pt", ".pkl"):
        raise TriageError(
            "not-a-module", f"{path.name}: would have to be run", _EXPECTED, "neurontriage preflight, by hand"
        )
    from neurontriage.preflight.checking import Request, check
    from neurontriage.preflight.formats.terminal import render
    from neurontriage.preflight.targets import Wanted

    frontend = "stablehlo" if path.suffix == ".mlir" else "hlo"
    found = check(Request(Wanted(str(path), (), frontend), target), catalog)
    yield from render(found).split("\n\n")
