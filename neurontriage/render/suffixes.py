"""The format that a file's suffix asks for."""

from __future__ import annotations

from pathlib import Path

from neurontriage.errors import TriageError

SUFFIXES = {
    ".json": "json",
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".sarif": "sarif",
    ".xml": "junit",
    ".txt": "terminal",
}


def by_suffix(output: Path) -> str | None:
    """The format of a file by its suffix; None of a file without one. Raises TriageError for any other suffix."""
    suffix = output.suffix.lower()
    if suffix and suffix not in SUFFIXES:
        raise TriageError("wrong-suffix", f"-o {output}: no format ends like that", ", ".join(sorted(SUFFIXES)))
    return SUFFIXES.get(suffix)
