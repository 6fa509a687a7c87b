"""`neurontriage warm-up`: prepares what the first logs would wait for; a line for Dockerfiles."""

from __future__ import annotations

import typer

from neurontriage import resources
from neurontriage.errors import TriageError


def warm_up() -> None:
    """Compile the knowledge and build the pattern database, if they are not there, and print where they are kept."""
    from neurontriage.knowledge.catalog import load
    from neurontriage.reports.terminal import render
    from neurontriage.triage import explain_text

    path = load().warm()
    render(explain_text(resources.demo().read_text(encoding="utf-8")))  # keeps the expressions that an answer needs
    if path is None:
        hint = "set NEURONTRIAGE_CACHE to a folder that can be written; without Hyperscan there is nothing to prepare"
        raise TriageError("nothing-kept", f"{resources.cache()}: nothing was kept there", "a folder for a cache", hint)
    typer.echo(str(path))
