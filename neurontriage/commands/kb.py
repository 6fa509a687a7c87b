"""`neurontriage kb`: look into the knowledge base, check it, add to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from neurontriage import resources
from neurontriage.errors import Exit, TriageError
from neurontriage.render.text import printable

if TYPE_CHECKING:
    from neurontriage.kb.search import Card
    from neurontriage.knowledge.schema import Entry

app = typer.Typer(
    help="Look into the knowledge base, check it, add to it.", no_args_is_help=True, rich_markup_mode=None
)
OWN = typer.Option([], "--knowledge", help="A folder with entries of your own (repeatable).")


MOST_WHOLE = 3
"""So many entries of one code are shown whole, of more only their headings."""


def _entries() -> dict[str, Entry]:
    from neurontriage.knowledge import load as knowledge

    return knowledge.load([resources.knowledge(), *resources.own_knowledge([])]).entries


def _cards(own: list[Path]) -> list[Card]:
    from neurontriage.kb.search import card
    from neurontriage.knowledge.catalog import load

    return [card(article) for article in load(resources.own_knowledge(own)).articles.values()]


def _heading(entry: Card | Entry) -> str:
    return f"{entry.id:36} {entry.layer:12} {entry.status:7} {entry.heading}"


@app.command("list")
def list_entries(
    layer: str = typer.Option(None, help="Only this layer."),
    code: str = typer.Option(None, help="Only ids and aliases that hold this."),
    status: str = typer.Option(None, help="Only this status: draft, tested, stable."),
    stack: str = typer.Option(None, help="Only entries of this stack."),
    own: list[Path] = OWN,
) -> None:
    """List the entries, one a line: id, layer, status, title."""
    from neurontriage.kb.search import Filter, listed

    found = listed(_cards(own), Filter(layer, code, status, stack))
    for entry in found:
        typer.echo(_heading(entry))
    typer.echo(f"{len(found)} entries", err=True)


@app.command()
def show(name: str = typer.Argument(..., metavar="ID|CODE"), own: list[Path] = OWN) -> None:
    """Show a whole entry; any of its codes will do. Works without a log."""
    from neurontriage.kb.search import meant
    from neurontriage.kb.show import article
    from neurontriage.knowledge.catalog import load
    from neurontriage.knowledge.schema import Entry

    articles = load(resources.own_knowledge(own)).articles
    names = {id: (id, *text.get("aliases", ())) for id, text in articles.items()}
    found = [Entry.model_validate(articles[id]) for id in meant(names, name)]
    if len(found) <= MOST_WHOLE:
        typer.echo("\n".join(map(article, found)), nl=False)
        return
    for entry in found:
        typer.echo(_heading(entry))
    typer.echo(f"{len(found)} entries go by {name}; neurontriage kb show ID shows one", err=True)


@app.command()
def search(words: list[str] = typer.Argument(...), own: list[Path] = OWN) -> None:
    """Search all entries for words; the best match first."""
    from neurontriage.kb.search import mistyped, ranked

    entries = _cards(own)
    found = ranked(entries, words)
    for _, entry in found[:20]:
        typer.echo(f"{entry.id:36} {entry.layer:12} {entry.heading}")
    typer.echo(f"{len(found)} entries" + (", the best 20 shown" if len(found) > 20 else ""), err=True)
    for word, near in mistyped(entries, words) if not found else ():
        typer.echo(f"no entry holds {printable(word)}" + (f"; did you mean {near}?" if near else ""), err=True)
    raise typer.Exit(Exit.OK if found else Exit.FOUND)


@app.command()
def lint(folder: Path = typer.Argument(None, help="A folder with entries; the shipped one by default.")) -> None:
    """Show every fault of every entry, as file:line:column."""
    from neurontriage.kb.lint import faults
    from neurontriage.knowledge import load as knowledge

    if folder is not None:
        resources.check([folder])
    loaded = knowledge.load([folder or resources.knowledge()])
    raise _judged([*loaded.faults, *faults(loaded)], f"{len(loaded.entries)} entries, ")


@app.command()
def test(
    folder: Path = typer.Argument(None, help="A folder with entries of your own besides the shipped ones."),
) -> None:
    """Try all examples and near misses against all entries."""
    from neurontriage.kb.examples import faults

    own = [folder] if folder and folder.resolve() != resources.knowledge().resolve() else []
    raise _judged(faults(own))


def _judged(found: Sequence[object], checked: str = "") -> typer.Exit:
    """Print the faults and how many there are; gives the end of the command."""
    for fault in found:
        typer.echo(str(fault))
    typer.echo(f"{checked}{len(found)} faults", err=True)
    return typer.Exit(Exit.FOUND if found else Exit.OK)


@app.command()
def new(
    from_log: Path = typer.Option(..., "--from-log", help="The log with the failure that no entry explains."),
    line: int = typer.Option(None, help="The line that states it (1-based); the unknown root by default."),
) -> None:
    """Draft an entry for the unknown failure of a log.

    It has a pattern, the false alarms of that pattern, and the nearest known entries.
    """
    from neurontriage.kb.drafting import draft, readable
    from neurontriage.knowledge.catalog import load

    made = draft(readable(from_log), str(from_log), line, load(resources.own_knowledge([])), _entries())
    typer.echo(made.text, nl=False)
    for alarm in made.alarms:
        typer.echo(f"the pattern also matches {alarm}", err=True)
    for near in made.nearest:
        typer.echo(f"near: {near}", err=True)


@app.command()
def propose(run: Path = typer.Argument(..., metavar="RUN.json", help="JSON of repro --all --against DIR.")) -> None:
    """Propose versions to entries from two repro runs, as a patch.

    It is to be read and applied by hand; nothing is written.
    """
    from neurontriage.kb.proposing import patches, proposals
    from neurontriage.knowledge import load as knowledge

    listed = proposals(run)
    loaded = knowledge.load([resources.knowledge()])
    for patch in patches(listed, loaded.entries, loaded.paths):
        typer.echo(patch, nl=False)
    typer.echo(f"{len(listed)} proposals", err=True)


@app.command()
def coverage(folder: Path = typer.Argument(..., metavar="DIR", help="Logs, each an incident of its own.")) -> None:
    """Report how the failures of a folder of logs are answered.

    By an entry for just this failure, by one for its class, or not at all.
    """
    from neurontriage.kb.folder import coverage, table
    from neurontriage.knowledge.catalog import load

    for line in table(coverage(folder, load(resources.own_knowledge([])))):
        typer.echo(printable(line))


@app.command()
def stale(
    sources: Path | None = typer.Option(None, "--sources", metavar="DIR", help="Clones of the sources, as owner/name."),
    sdk: str = typer.Option(None, "--sdk", help="With --sources: also what was read before this SDK release."),
    logs: Path | None = typer.Option(
        None, "--logs", metavar="DIR", help="Also entries that no log of this folder leads to."
    ),
) -> None:
    """List entries that may be out of date.

    Their sources changed or are old, or no log leads to them.
    """
    from neurontriage.kb.stale import listed

    if sources is None and logs is None:
        raise TriageError(
            "nothing-to-compare", "kb stale", "--sources DIR or --logs DIR", "neurontriage kb stale --help"
        )
    found = listed(_entries(), sources, sdk, logs)
    for line in found:
        typer.echo(printable(line))
    typer.echo(f"{len(found)} entries or sources to look at", err=True)
    raise typer.Exit(Exit.FOUND if found else Exit.OK)


@app.command()
def pages(folder: Path = typer.Argument(Path("docs/catalogue"), help="Where the pages go.")) -> None:
    """Write the catalogue: a static HTML page for each entry.

    And an index of them that can be searched offline.
    """
    from neurontriage.kb.pages import write

    typer.echo(f"{write(folder, _entries())} pages in {folder}", err=True)
