"""`%%triage` of a notebook: runs a cell, and explains it when it fails."""

from __future__ import annotations

import sys
import traceback
from typing import Any

from neurontriage.agents.overhear import Overheard
from neurontriage.errors import TriageError


class CellFailed(Exception):
    """The cell below `%%triage` failed; its traceback and what explains it stand above."""

    def _render_traceback_(self) -> list[str]:
        return []


def load(shell: Any) -> None:
    """Add the cell magic to a running IPython shell."""

    def triage(line: str, cell: str) -> None:
        """Run the cell; when it fails, say why. `%%triage LOG ...` reads logs besides what the cell prints."""
        _run(shell, line.split(), cell)

    shell.register_magic_function(triage, "cell", "triage")


def _run(shell: Any, paths: list[str], cell: str) -> None:
    with Overheard() as heard:
        result = shell.run_cell(cell)
    error = result.error_in_exec or result.error_before_exec
    if error is None:
        return
    said = heard.text + "\n" + "".join(traceback.format_exception(error))
    try:
        _show(said, paths)
    except TriageError as refused:
        sys.stdout.write(f"{refused}\n")
    raise CellFailed(f"{type(error).__name__}: {error}")


def _show(said: str, paths: list[str]) -> None:
    from IPython.display import display

    from neurontriage.incident import read
    from neurontriage.knowledge.catalog import load as catalog
    from neurontriage.triage import explain_text

    known = catalog()
    show: Any = display
    show(explain_text(said, "cell", known))
    for diagnosis in read(paths, known).diagnoses if paths else ():
        show(diagnosis)
