"""`neurontriage watch`: follows growing logs and prints each finding once, as soon as its line is there."""

from __future__ import annotations

import contextlib
import json
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from neurontriage.errors import Exit, TriageError, unknown
from neurontriage.model import Diagnosis
from neurontriage.render.message import anchors, around, message
from neurontriage.render.text import printable

if TYPE_CHECKING:
    from neurontriage.live.settled import Project

FORMATS = ("terminal", "json")
SCHEMA = "neurontriage.watch/1"
_SETTLE = 1.0
_LONGEST = 200
_FOLLOWED = "files, folders and globs on this machine"


def watch(
    paths: list[str] = typer.Argument(..., metavar="PATH...", help="Logs, folders, globs in quotes; may come later."),
    format: str = typer.Option("terminal", "--format", "-f", help="terminal, or json: one line per finding."),
    until_failure: bool = typer.Option(
        False, "--until-failure", help="End with the whole answer at the first failure."
    ),
    knowledge: list[Path] = typer.Option([], "--knowledge", help="A folder with entries of your own (repeatable)."),
) -> None:
    """Follow growing logs (rotation, truncation, new ranks) and print each finding once, within a second.

    Ends with Ctrl-C (130), SIGTERM, or --until-failure; 1 when a failure was found.
    """
    from neurontriage.live.following import Flock
    from neurontriage.live.settled import project
    from neurontriage.live.watching import Watch

    if format not in FORMATS:
        raise unknown("--format", format, FORMATS)
    for path in paths:
        if path == "-" or "://" in path:
            raise TriageError("not-followed", f"{path}: cannot be followed", _FOLLOWED, f"neurontriage explain {path}")
    stopping: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda got, _: stopping.append(got))
    settled = project(knowledge)
    failed = False
    watched = Watch(Flock(tuple(paths)), settled.catalog, lambda: bool(stopping), note=_note)
    with contextlib.suppress(BrokenPipeError):  # whoever read along has gone
        for fresh in map(settled.heard, watched.findings()):
            failed = failed or any(one.severity == "error" for one in fresh.findings)
            _show(fresh, format)
            if failed and until_failure:
                time.sleep(_SETTLE)
                _whole(paths, settled, format)
                break
    interrupted = signal.SIGINT in stopping
    raise typer.Exit(Exit.INTERRUPTED if interrupted else Exit.FOUND if failed else Exit.OK)


def _note(text: str) -> None:
    typer.echo(printable(f"note: {text}"), err=True)


def _show(fresh: Diagnosis, format: str) -> None:
    if format == "json":
        from neurontriage.reports.json import finding as plain

        for one in fresh.findings:
            sys.stdout.write(json.dumps({"schema": SCHEMA, **plain(one)}, ensure_ascii=True) + "\n")
    else:
        for finding in fresh.findings:
            first, kind = finding.evidence[0], "consequence" if finding.role == "consequence" else finding.severity
            sys.stdout.write(printable(f"{first.path}:{first.line}: {kind}: {finding.title}") + "\n")
            sys.stdout.write(f"  {finding.id}  {around(message(finding), anchors(finding), _LONGEST)}\n")
            if finding.workarounds and kind == "error":
                sys.stdout.write(f"  try: {printable(finding.workarounds[0].title)}\n")
    sys.stdout.flush()


def _whole(paths: list[str], settled: Project, format: str) -> None:
    """The answer of `explain` to all that was written until now."""
    from neurontriage.incident import read

    if format == "terminal":
        sys.stdout.write("\n" + settled.drawn(settled.heard(read(paths, settled.catalog).diagnoses[0])))
        sys.stdout.flush()
