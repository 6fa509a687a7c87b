"""`neurontriage explain`: logs → what broke, why, and what to change."""

from __future__ import annotations

import datetime
import sys
from dataclasses import replace
from pathlib import Path

import typer

from neurontriage import reports
from neurontriage.catalog import load
from neurontriage.errors import Exit, TriageError
from neurontriage.model import Diagnosis
from neurontriage.resources import own_knowledge
from neurontriage.triage import explain as diagnose

FAIL_ON = ("error", "warning", "never")


def explain(
    paths: list[str] = typer.Argument(None, metavar="[PATH]...", help="Logs, folders, globs, archives; - for stdin."),
    format: str = typer.Option("terminal", "--format", help="One of: " + ", ".join(reports.names()) + "."),
    output: Path = typer.Option(None, "--output", "-o", help="Write to this file instead of standard output."),
    fail_on: str = typer.Option("error", "--fail-on", help="Exit 1 on a finding of: error, warning, never."),
    knowledge: list[Path] = typer.Option([], "--knowledge", help="A folder with entries of your own (repeatable)."),
) -> None:
    """Explain a failure: the root cause, the lines that prove it, what to change, where it is discussed."""
    _check(format, fail_on)
    own = own_knowledge(knowledge)
    diagnosis = silenced(diagnose(_inputs(paths), load(own)), own)
    text = reports.renderer(format)(diagnosis)
    if output:
        output.write_text(text, encoding="utf-8")
        typer.echo(str(output))
    else:
        sys.stdout.write(text)
    raise typer.Exit(_exit(diagnosis, fail_on, format))


def _check(format: str, fail_on: str) -> None:
    if format not in reports.names():
        raise TriageError("wrong-format", f"--format {format}: no such format", ", ".join(reports.names()))
    if fail_on not in FAIL_ON:
        raise TriageError("wrong-fail-on", f"--fail-on {fail_on}: no such level", ", ".join(FAIL_ON))


def _inputs(paths: list[str] | None) -> list[str]:
    if paths:
        return paths
    if not sys.stdin.isatty():
        return ["-"]
    raise TriageError(
        "no-input", "no log given", "a path, or a log on standard input", "neurontriage explain build.log"
    )


def silenced(diagnosis: Diagnosis, folders: list[Path]) -> Diagnosis:
    """Take out what the ignore lists of the user's folders name; what was taken out, and what is out of date, is said."""
    if not folders:
        return diagnosis
    from neurontriage import silencing

    today = datetime.date.today()
    lists = silencing.read(folders)
    quiet = {silence.id for silence in lists if silence.holds(today)}
    found = {finding.id for finding in diagnosis.findings}
    said = [str(one) for one in lists if one.id in found and one.holds(today)]
    said += [f"{one} (expired, shown again)" for one in lists if one.id in found and not one.holds(today)]
    kept = tuple(finding for finding in diagnosis.findings if finding.id not in quiet)
    return replace(diagnosis, findings=kept, silenced=tuple(said))


def _exit(diagnosis: Diagnosis, fail_on: str, format: str) -> Exit:
    if reports.for_consumer(format) or fail_on == "never":
        return Exit.OK
    bad = {"error"} if fail_on == "error" else {"error", "warning"}
    return Exit.FOUND if any(finding.severity in bad for finding in diagnosis.findings) else Exit.OK
