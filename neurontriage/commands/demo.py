"""`neurontriage demo`: explains a shipped log of a failed compilation, to see what an answer looks like."""

from __future__ import annotations

import typer

from neurontriage import config, resources


def demo(lang: str = typer.Option(None, "--lang", help="en, ja or ko; by default that of the locale.")) -> None:
    """Explain a log that comes with the program: a first look without a log of your own."""
    from neurontriage.incident import Way, read
    from neurontriage.knowledge.catalog import load
    from neurontriage.render.audience import addressed, reader
    from neurontriage.render.output import deliver
    from neurontriage.render.translation import localized
    from neurontriage.reports import terminal

    if lang not in (None, *config.LANGUAGES):
        from neurontriage.errors import unknown

        raise unknown("--lang", lang, config.LANGUAGES)
    log = str(resources.demo())
    found = read([log], load(), Way(follow=None)).diagnoses[0]
    with addressed(reader(lang or config.load().language, False)):
        text = terminal.render(localized(found))
    deliver(text, None, plain=True)
    typer.echo(f"That was {log}; yours: neurontriage build.log", err=True)
