"""The door of the page to the package: logs as bytes → the answer as texts, with progress on the way.

What may be shared is made after the answer, so that nobody waits for it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from neurontriage.errors import TriageError
from neurontriage.knowledge.catalog import load
from neurontriage.read.context import with_context
from neurontriage.read.inputs import find
from neurontriage.render.redaction import redacted
from neurontriage.reports import renderer
from neurontriage.triage import explain

FOLDER = Path("/logs")
Told = Callable[[str, float | None], Any]


def explained(logs: Any, told: Told) -> Any:
    """`logs`: an array of {name, bytes}. Raises TriageError for what is no log."""
    paths = _kept([(one.name, one.bytes) for one in logs])
    inputs = find(paths)
    total = sum(one.size for one in inputs) or 1
    seen = 0

    def watch(_: str, blocks: Iterable[bytes]) -> Iterator[bytes]:
        nonlocal seen
        for block in blocks:
            for start in range(0, len(block), _PIECE):
                told(f"Reading, {seen / 1e6:.1f} MB", min(seen / total, 1.0))
                seen += min(_PIECE, len(block) - start)
            yield block

    told("Reading", 0.0)
    diagnosis = with_context(explain(inputs, load(), watch), inputs)
    if not diagnosis.inputs:
        raise TriageError("no-logs", "this is no text log", "a log file")
    told("Writing the answer", None)
    roots = diagnosis.roots
    title = roots[0].title if roots else f"Verdict: {diagnosis.verdict}"
    return _texts(title=title, page=renderer("html")(diagnosis), diagnosis=diagnosis)


def shared(diagnosis: Any) -> Any:
    """The answer without secrets."""
    safe = redacted(diagnosis)
    return _texts(shared=renderer("html")(safe), markdown=renderer("markdown")(safe))


_PIECE = 1 << 20


def _kept(logs: list[tuple[str, Any]]) -> list[str]:
    """Put the logs where the package reads files; gives their paths."""
    os.chdir("/")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    os.chdir(FOLDER)
    paths = []
    for number, (name, content) in enumerate(logs):
        path = FOLDER / (Path(name).name or f"log{number}")
        path = path if not path.exists() else FOLDER / f"{number}-{path.name}"
        path.write_bytes(content.to_py())
        paths.append(path.name)
    return paths


def _texts(**texts: Any) -> Any:
    from js import Object
    from pyodide.ffi import to_js

    return to_js(texts, dict_converter=Object.fromEntries)
