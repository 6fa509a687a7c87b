"""`neurontriage explain`: logs → what broke, why, and what to change."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import typer

from neurontriage import config, reports
from neurontriage.config import FAIL_ON, LANGUAGES
from neurontriage.errors import Exit, TriageError, unknown
from neurontriage.incident import Logs, ReadBy, Way, read
from neurontriage.knowledge.catalog import Catalog, load
from neurontriage.model import Diagnosis
from neurontriage.read.inputs import newest_workdir
from neurontriage.render.audience import addressed, reader
from neurontriage.render.output import chosen, deliver
from neurontriage.render.text import printable
from neurontriage.render.translation import localized
from neurontriage.resources import own_knowledge

REDACT = "What to take out: none, secrets, strict (hosts, users too). By default secrets in all that is shared."
Hear = Callable[[Diagnosis], tuple[Diagnosis, list[str]]]
PRINTED = ("terminal", "full")
TRANSLATED = (*PRINTED, "html")
"""Formats for people; the others are read by programs, or by those who help in an issue."""
KEPT_AS_IT_IS = ("terminal", "full", "json")
"""Formats for the one who has the log; all others are made to be shared, so secrets are taken out of them."""


def explain(  # noqa: PLR0913 - one parameter per option of the command line
    paths: list[str] = typer.Argument(None, metavar="[PATH]...", help="Logs, folders, globs, archives; - for stdin."),
    format: str = typer.Option(None, "--format", "-f", help="One of: " + ", ".join(reports.names()) + "."),
    full: bool = typer.Option(False, "--full", "-v", help="Everything: all lines, fixes, links, consequences."),
    html: bool = typer.Option(False, "--html", help="One self-contained page; without -o beside the log."),
    output: Path = typer.Option(None, "--output", "-o", help="Write to this file; its suffix chooses the format."),
    each: bool = typer.Option(False, "--each", help="Every log for itself, grouped by what it failed of."),
    good: list[str] = typer.Option([], "--good", help="A log of a run that went well, to compare with (repeatable)."),
    fail_on: str = typer.Option(None, "--fail-on", help=f"Exit 1 on: {', '.join(FAIL_ON)} [error]."),
    knowledge: list[Path] = typer.Option([], "--knowledge", help="A folder with entries of your own (repeatable)."),
    follow: bool = typer.Option(
        True, "--follow/--no-follow", help="Read files that the logs name and that are at hand."
    ),
    roots: list[Path] = typer.Option([], "--follow-root", metavar="DIR", help="Look for them here too (repeatable)."),
    workers: int = typer.Option(0, "--workers", min=0, help="Processes that read; by default as many as are worth it."),
    ray: str = typer.Option("", "--ray", help="Read on this Ray cluster (an address, auto, or local)."),
    redact: str = typer.Option(None, "--redact", metavar="LEVEL", help=REDACT),
    lang: str = typer.Option(None, "--lang", help="en, ja or ko; by default that of the locale."),
) -> None:
    """Explain a failure: the root cause, the lines that prove it, what to change, where it is discussed.

    Several paths are one incident, unless --each is given. Without a path: a pipe, else the newest compilation.
    """
    settled = config.load()
    name = chosen(format, output, {"html": html, "full": full})
    level = fail_on or settled.fail_on
    _check(name, level, lang)
    if each and name not in KEPT_AS_IT_IS:
        raise TriageError("no-groups", f"--each --format {name}: there is no such table", "terminal or json")
    if redact is not None:
        from neurontriage.render.redaction import sharing

        sharing.check(redact)
    own = own_knowledge(knowledge)
    catalog = load(own)
    context = partial(reports.wants_context, name)
    notes: dict[str, None] = {}
    kept = partial(_kept, each, _quiet(own, settled, catalog), notes)
    way = Way(each, context, roots if follow else None, workers, _others(ray, workers), good, kept)
    logs = read(_inputs(paths), catalog, way)
    logs.notes += notes
    found = logs.diagnoses
    to = reader(lang or settled.language, output is not None, name not in PRINTED)
    with addressed(to):
        text = [_grouped(found, name, redact)] if each else _rendered(found[0], name, redact)
    catalog.prepare()
    _summarised(found, name)
    with addressed(to):  # it is drawn piece by piece
        deliver(text, output or (_beside(found[0]) if html else None), plain=name in PRINTED)
    _hints(logs, found)
    raise typer.Exit(Exit.INTERRUPTED if logs.interrupted else max(exit_code(one, level) for one in found))


def _others(ray: str, workers: int) -> ReadBy | None:
    if not ray:
        return None
    from neurontriage.fleet.reading import Rays

    return Rays(ray, workers)


def _check(name: str, level: str, lang: str | None) -> None:
    for option, given, known in (("--format", name, reports.names()), ("--fail-on", level, FAIL_ON)):
        if given not in known:
            raise unknown(option, given, known)
    if lang is not None and lang not in LANGUAGES:
        raise unknown("--lang", lang, LANGUAGES)


def _rendered(diagnosis: Diagnosis, name: str, redact: str | None) -> Iterable[str]:
    return reports.pieces(name, _shown(diagnosis, name, redact))


def _shown(diagnosis: Diagnosis, name: str, redact: str | None) -> Diagnosis:
    """What the format may show, in the reader's language where it is made for people."""
    shown = diagnosis
    if redact or name not in KEPT_AS_IT_IS:
        from neurontriage.render.redaction import sharing

        shown, note = sharing.prepared(diagnosis, redact, name not in KEPT_AS_IT_IS)
        if note:
            typer.echo(note, err=True)
    return localized(shown) if name in TRANSLATED else shown


def _summarised(found: list[Diagnosis], name: str) -> None:
    """In a GitHub step, the summary of the job gets the answer as Markdown."""
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if name == "github" and summary:
        with contextlib.suppress(OSError), open(summary, "a", encoding="utf-8") as page:
            page.write("\n".join("".join(_rendered(one, "markdown", None)) for one in found))


def _grouped(found: list[Diagnosis], name: str, redact: str | None) -> str:
    from neurontriage.render.groups import document, table

    shown = [_shown(one, name, redact) for one in found]
    return document(shown) if name == "json" else table(shown)


def _beside(diagnosis: Diagnosis) -> Path:
    """`build.html` beside `build.log`; in the current folder for what is no single file."""
    first = Path(diagnosis.inputs[0].path)
    return first.with_suffix(".html") if len(diagnosis.inputs) == 1 and first.is_file() else Path("neurontriage.html")


def _inputs(paths: list[str] | None) -> list[str]:
    if paths:
        return paths
    if _piped():
        return ["-"]
    newest = newest_workdir()
    if newest is not None:
        typer.echo(f"no log given: reading the newest compilation, {newest}", err=True)
        return [str(newest)]
    hint = "neurontriage explain build.log"
    raise TriageError("no-input", "no log given", "a path, or a log on standard input", hint)


def _piped() -> bool:
    """Whether standard input is a pipe or a file, not a terminal nor /dev/null."""
    if sys.stdin is None:
        return False
    mode = os.fstat(sys.stdin.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def _quiet(own: list[Path], settled: config.Config, catalog: Catalog) -> Hear | None:
    """What takes out of an answer what is silenced; None where nothing is."""
    if not own and not settled.ignore:
        return None
    from neurontriage.knowledge import silence
    from neurontriage.silencing import silenced

    lists = silence.read(own)
    return lambda diagnosis: silenced(diagnosis, lists, settled, catalog)


def _kept(each: bool, hear: Hear | None, notes: dict[str, None], diagnosis: Diagnosis) -> Diagnosis:
    """What is kept of an answer until it is drawn; `notes` gets those on what is silenced."""
    if hear is not None:
        diagnosis, said = hear(diagnosis)
        notes |= dict.fromkeys(said)
    if not each:
        return diagnosis
    from neurontriage.render.groups import outlined

    return outlined(diagnosis)


def _hints(logs: Logs, found: list[Diagnosis]) -> None:
    for note in logs.notes:
        typer.echo(printable(f"note: {note}"), err=True)
    if len(found) == 1 and not found[0].roots and logs.result_json:
        typer.echo(f"hint: this is an analyze report: neurontriage report {logs.result_json}", err=True)


def exit_code(diagnosis: Diagnosis, level: str) -> Exit:
    """The one rule for every format: what was found against what is to fail."""
    if level == "never":
        return Exit.OK
    bad = {"error", "warning"} if level == "warning" else {"error"}
    if any(finding.severity in bad for finding in diagnosis.findings):
        return Exit.FOUND
    return Exit.FOUND if level == "unknown" and diagnosis.verdict in ("unknown", "empty") else Exit.OK
