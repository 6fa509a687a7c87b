"""`neurontriage report`: what an analyze report (result.json) says, why operators fail, and what helps."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from neurontriage import stored
from neurontriage.analysis import formats
from neurontriage.analysis.compare import compared
from neurontriage.analysis.join import Facts, analyse
from neurontriage.analysis.model import Analysis
from neurontriage.analysis.result import load
from neurontriage.analysis.shortlist import shortlisted
from neurontriage.errors import Exit, TriageError, unknown
from neurontriage.knowledge.catalog import Catalog
from neurontriage.knowledge.catalog import load as load_catalog
from neurontriage.knowledge.schema import Entry
from neurontriage.model import Diagnosis
from neurontriage.render.redaction import sharing
from neurontriage.resources import own_knowledge

SHARED = ("html", "markdown")
"""Formats that are made to be shared: secrets are taken out of them."""
TARGET = "trn1"
"""What analyze compiles for, unless the compile log says otherwise."""


def report(  # noqa: PLR0913 - one parameter per option of the command line
    result: Path = typer.Argument(..., metavar="result.json", help="The report that analyze wrote, or its folder."),
    html: bool = typer.Option(False, "--html", help="Write one self-contained page and print its path."),
    output: Path = typer.Option(None, "--output", "-o", help="Write to this file and print its path."),
    format: str = typer.Option("terminal", "--format", help="One of: " + ", ".join(formats.names()) + "."),
    compare: Path = typer.Option(None, "--compare", metavar="OLD.json", help="Show what changed since this report."),
    log: Path = typer.Option(None, "--log", metavar="build.log", help="The compile log of the same run."),
    redact: str = typer.Option(None, "--redact", metavar="LEVEL", help=sharing.HELP),
) -> None:
    """Show operator support: what does not compile, why, where it is called, and what to write instead."""
    name = "html" if html else format
    if name not in formats.names():
        raise unknown("--format", name, formats.names())
    sharing.check(redact)
    analysis = _analysis(result, compare, log)
    brief = analysis if name == "json" else shortlisted(analysis)
    shown, note = sharing.prepared(brief, redact, name in SHARED)
    if note:
        typer.echo(note, err=True)
    _write(formats.renderer(name)(shown), output or (_beside(result) if html else None))
    raise typer.Exit(Exit.FOUND if analysis.refused or analysis.log_failed else Exit.OK)


def _analysis(path: Path, compare: Path | None, log: Path | None) -> Analysis:
    catalog = load_catalog(own_knowledge([]))
    diagnosis = _diagnosis(log, catalog) if log else None
    target = diagnosis.environment.get("target", TARGET) if diagnosis else TARGET
    facts = Facts(lambda name: _entry(catalog, name), catalog.releases, target, diagnosis)
    now = analyse(load(path), facts)
    return compared(now, analyse(load(compare), facts)) if compare else now


def _diagnosis(log: Path, catalog: Catalog) -> Diagnosis:
    from neurontriage.read.inputs import find
    from neurontriage.triage import explain

    return explain(find([str(log)]), catalog)


def _entry(catalog: Catalog, name: str) -> Entry | None:
    return Entry.model_validate(catalog.article(name)) if name in catalog.articles else None


def _beside(result: Path) -> Path:
    """`result.html` next to a real file or in its folder, else here."""
    if result.is_dir():
        return result / "result.html"
    return result.with_suffix(".html") if result.is_file() else Path("result.html")


def _write(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
        return
    try:
        stored.place(output, [text.encode()])
    except OSError as error:
        raise TriageError(
            "cannot-write",
            f"{output}: {error.strerror or error}",
            "a file that can be written",
            "choose one with -o",
        ) from None
    typer.echo(str(output))
