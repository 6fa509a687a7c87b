"""Writes a result so that a reader sees the old file or the new one, never half of it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from neurontriage import stored
from neurontriage.errors import TriageError


def check(output: Path) -> None:
    """Raises TriageError where the file could not be written later: before anything is measured."""
    if output.is_dir():
        raise _refusal(output, "is a folder")
    try:
        handle, name = tempfile.mkstemp(dir=output.parent, prefix=f".{output.name}-")
    except OSError as error:
        raise _refusal(output, error.strerror or str(error)) from None
    os.close(handle)
    os.unlink(name)


def write(output: Path, text: str) -> None:
    """Writes beside the file and renames. TriageError when that fails."""
    try:
        stored.place(output, [text.encode()])
    except OSError as error:
        raise _refusal(output, error.strerror or str(error)) from None


def _refusal(output: Path, problem: str) -> TriageError:
    return TriageError(
        "cannot-write", f"{output}: {problem}", "a file in a folder that can be written", "choose one with --output"
    )
