"""`neurontriage explain`: logs → what broke, why, and what to change."""

from __future__ import annotations

import datetime
import os
import stat
import sys
from dataclasses import replace
from pathlib import Path

import typer

from neurontriage import reports
from neurontriage.errors import Exit, TriageError
from neurontriage.knowledge.catalog import load
from neurontriage.model import Diagnosis
from neurontriage.read.context import with_context
from neurontriage.read.inputs import find, newest_workdir
from neurontriage.read.interrupt import Interrupt
from neurontriage.read.progress import Progress
from neurontriage.render.redaction import sharing
from neurontriage.render.text import printable
from neurontriage.resources import own_knowledge
from neurontriage.triage import explain as diagnose

_SHOWN = 3
KEPT_AS_IT_IS = ("terminal", "json")
"""Formats for the one who has the log; all others are made to be shared, so secrets are taken out of them."""
FAIL_ON = ("error", "warning", "never")


def explain(  # noqa: PLR0913 - one parameter per option of the command line
    paths: list[str] = typer.Argument(None, metavar="[PATH]...", help="Logs, folders, globs, archives; - for stdin."),
    format: str = typer.Option("terminal", "--format", help="One of: " + ", ".join(reports.names()) + "."),
    output: Path = typer.Option(None, "--output", "-o", help="Write to this file instead of standard output."),
    fail_on: str = typer.Option("error", "--fail-on", help="Exit 1 on a finding of: error, warning, never."),
    knowledge: list[Path] = typer.Option([], "--knowledge", help="A folder with entries of your own (repeatable)."),
    redact: str = typer.Option(None, "--redact", metavar="LEVEL", help=sharing.HELP),
) -> None:
    """Explain a failure: the root cause, the lines that prove it, what to change, where it is discussed."""
    _check(format, fail_on)
    sharing.check(redact)
    own = own_knowledge(knowledge)
    with Interrupt() as interrupt:
        diagnosis = silenced(_diagnosed(_inputs(paths), own, format, interrupt), own)
    diagnosis, note = sharing.prepared(diagnosis, redact, format not in KEPT_AS_IT_IS)
    if note:
        typer.echo(note, err=True)
    text = reports.renderer(format)(diagnosis)
    if output:
        _written(output, text)
        typer.echo(printable(str(output)))
    else:
        _printed(text, format)
    raise typer.Exit(Exit.INTERRUPTED if interrupt.asked else _exit(diagnosis, fail_on, format))


def _check(format: str, fail_on: str) -> None:
    if format not in reports.names():
        raise TriageError("wrong-format", f"--format {format}: no such format", ", ".join(reports.names()))
    if fail_on not in FAIL_ON:
        raise TriageError("wrong-fail-on", f"--fail-on {fail_on}: no such level", ", ".join(FAIL_ON))


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


def _diagnosed(paths: list[str], own: list[Path], format: str, interrupt: Interrupt) -> Diagnosis:
    inputs = find(paths)
    progress = Progress(sum(one.size for one in inputs))
    try:
        diagnosis = diagnose(inputs, load(own), lambda name, log: progress.watch(name, interrupt.watch(name, log)))
        if not diagnosis.inputs:
            raise _no_logs(paths)
        return with_context(diagnosis, inputs) if reports.wants_context(format) else diagnosis
    finally:
        progress.close()
        _note([name for one in inputs for name in one.left_out])


def _no_logs(paths: list[str]) -> TriageError:
    hint = "name the log itself; of a NEFF or an HLO proto, the log of its compile (log-neuron-cc.txt)"
    return TriageError("no-logs", f"{', '.join(paths)}: holds no text log", "at least one file of text", hint)


def _note(left_out: list[str]) -> None:
    """Say which files were found beside the logs and are no text."""
    if left_out:
        more = f" and {len(left_out) - _SHOWN} more" if len(left_out) > _SHOWN else ""
        names = ", ".join(left_out[:_SHOWN])
        typer.echo(printable(f"note: left out {len(left_out)} binary file(s): {names}{more}"), err=True)


def silenced(diagnosis: Diagnosis, folders: list[Path]) -> Diagnosis:
    """Take out what the ignore lists of the user's folders name; what goes, and what is out of date, is said."""
    if not folders:
        return diagnosis
    from neurontriage.knowledge import silence as silencing

    today = datetime.date.today()
    lists = silencing.read(folders)
    quiet = {silence.id for silence in lists if silence.holds(today)}
    found = {finding.id for finding in diagnosis.findings}
    said = [str(one) for one in lists if one.id in found and one.holds(today)]
    said += [f"{one} (expired, shown again)" for one in lists if one.id in found and not one.holds(today)]
    kept = tuple(finding for finding in diagnosis.findings if finding.id not in quiet)
    return replace(diagnosis, findings=kept, silenced=tuple(said))


def _printed(text: str, format: str) -> None:
    """Text in the terminal's own encoding; every other format in UTF-8, the same bytes in every locale."""
    try:
        if format == "terminal" or not hasattr(sys.stdout, "buffer"):
            sys.stdout.write(text)
        else:
            sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
    except BrokenPipeError:  # `| head` has what it wanted
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        raise _unwritable("standard output", error.strerror) from error


def _written(path: Path, text: str) -> None:
    try:
        path.write_bytes(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise _unwritable(str(path), error.strerror) from error


def _unwritable(name: str, why: str | None) -> TriageError:
    hint = "choose another place with -o"
    return TriageError("unwritable-output", f"{name}: {why}", "a file that can be written", hint)


def _exit(diagnosis: Diagnosis, fail_on: str, format: str) -> Exit:
    if reports.for_consumer(format) or fail_on == "never":
        return Exit.OK
    bad = {"error"} if fail_on == "error" else {"error", "warning"}
    return Exit.FOUND if any(finding.severity in bad for finding in diagnosis.findings) else Exit.OK
