"""`neurontriage kb`: look into the knowledge base, check it, add to it."""

from __future__ import annotations

from pathlib import Path

import typer

from neurontriage import knowledge, resources
from neurontriage.errors import Exit

app = typer.Typer(
    help="Look into the knowledge base, check it, add to it.", no_args_is_help=True, rich_markup_mode=None
)


@app.command()
def lint(
    folder: Path = typer.Argument(None, help="A folder with entries; the shipped one by default."),
) -> None:
    """Show every fault of every entry as file:line:column, all at once."""
    loaded = knowledge.load([folder or resources.knowledge()])
    for fault in loaded.faults:
        typer.echo(str(fault))
    typer.echo(f"{len(loaded.entries)} entries, {len(loaded.faults)} faults", err=True)
    raise typer.Exit(Exit.FOUND if loaded.faults else Exit.OK)


@app.command()
def test(
    folder: Path = typer.Argument(None, help="A folder with entries of your own besides the shipped ones."),
) -> None:
    """Try every example and near miss of every entry against all entries."""
    from neurontriage.kb.examples import faults

    own = [folder] if folder and folder.resolve() != resources.knowledge().resolve() else []
    found = faults(own)
    for fault in found:
        typer.echo(str(fault))
    typer.echo(f"{len(found)} faults", err=True)
    raise typer.Exit(Exit.FOUND if found else Exit.OK)
