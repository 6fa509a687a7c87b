"""`neurontriage warm-up`: prepares what the first long log would wait for; a line for Dockerfiles."""

from __future__ import annotations

import typer

from neurontriage import resources
from neurontriage.errors import TriageError


def warm_up() -> None:
    """Compile the knowledge and build the pattern database, if they are not there, and print where they are kept."""
    from neurontriage.knowledge.catalog import load

    path = load().warm()
    if path is None:
        hint = "set NEURONTRIAGE_CACHE to a folder that can be written; without Hyperscan there is nothing to prepare"
        raise TriageError("nothing-kept", f"{resources.cache()}: nothing was kept there", "a folder for a cache", hint)
    typer.echo(str(path))
