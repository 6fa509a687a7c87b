"""`neurontriage doctor`: what is wrong with this host, without a log."""

from __future__ import annotations

import typer

from neurontriage.errors import Exit, unknown

FORMATS = ("terminal", "json")


def doctor(format: str = typer.Option("terminal", "--format", help="One of: " + ", ".join(FORMATS) + ".")) -> None:
    """Check packages, driver, devices, cache, environment, limits and fabric of this host. Changes nothing."""
    from neurontriage.doctor.check import checks
    from neurontriage.doctor.host import here
    from neurontriage.doctor.showing import document, text
    from neurontriage.knowledge.catalog import load

    if format not in FORMATS:
        raise unknown("--format", format, FORMATS)
    catalog = load()
    found = list(checks(here(), catalog.releases))
    articles = {one.entry: catalog.article(one.entry) for one in found if one.entry}
    typer.echo(document(found) if format == "json" else text(found, articles), nl=False)
    raise typer.Exit(Exit.FOUND if any(one.outcome == "fault" for one in found) else Exit.OK)
