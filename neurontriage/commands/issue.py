"""`neurontriage issue`: an issue for aws-neuron-sdk, ready to be read and sent by its author."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from neurontriage import stored
from neurontriage.errors import Exit, TriageError
from neurontriage.model import Diagnosis
from neurontriage.read.inputs import Input
from neurontriage.render.redaction import sharing

if TYPE_CHECKING:
    from neurontriage.issue.bundle import Bundle


def issue(
    paths: list[str] = typer.Argument(..., metavar="LOG...", help="Logs, folders, globs, archives of one incident."),
    output: Path = typer.Option(Path("neurontriage-issue"), "--output", "-o", help="The folder to write into."),
    add: list[Path] = typer.Option([], "--add", help="A file for the bundle, e.g. the HLO module (repeatable)."),
    redact: str = typer.Option("secrets", "--redact", metavar="LEVEL", help=sharing.HELP),
    knowledge: list[Path] = typer.Option([], "--knowledge", help="A folder with entries of your own (repeatable)."),
) -> None:
    """Write issue.md and bundle.tar.gz for the tracker of aws-neuron-sdk. Nothing is sent anywhere."""
    from neurontriage.issue.bundle import Bundle
    from neurontriage.render.redaction import Redactor

    sharing.check(redact)
    if redact == "none":
        raise TriageError("wrong-redact", "--redact none: an issue is made to be shared", "secrets or strict")
    diagnosis, inputs = _diagnosed(paths, knowledge)
    bundle = Bundle(Redactor(strict=redact == "strict"))
    written = _filled(bundle, diagnosis, inputs, add)
    _write(output, {"issue.md": written.encode(), "bundle.tar.gz": bundle.packed()})
    if note := sharing.noted(bundle.redactor):
        typer.echo(note, err=True)
    if diagnosis.verdict != "failed":
        typer.echo(
            "note: there is no failure in these logs: the issue says so, and that lines are to be added", err=True
        )
    typer.echo(str(output / "issue.md"))
    typer.echo(str(output / "bundle.tar.gz"))
    raise typer.Exit(Exit.FOUND if diagnosis.verdict == "failed" else Exit.OK)


def _diagnosed(paths: list[str], knowledge: list[Path]) -> tuple[Diagnosis, list[Input]]:
    from neurontriage.knowledge.catalog import load
    from neurontriage.read.context import with_context
    from neurontriage.read.inputs import find
    from neurontriage.resources import own_knowledge
    from neurontriage.triage import explain

    if "-" in paths:
        raise TriageError("no-file", "standard input cannot be read twice", "log files", "save it first: … | tee a.log")
    inputs = find(paths)
    diagnosis = with_context(explain(inputs, load(own_knowledge(knowledge))), inputs)
    if not diagnosis.inputs:
        raise TriageError("no-logs", f"{', '.join(paths)}: holds no text log", "at least one file of text")
    return diagnosis, inputs


def _filled(bundle: Bundle, diagnosis: Diagnosis, inputs: list[Input], add: list[Path]) -> str:
    """Put everything into the bundle; gives the redacted text of the issue."""
    from neurontriage.issue.bundle import member_names
    from neurontriage.issue.draft import text
    from neurontriage.issue.excerpt import excerpts
    from neurontriage.reports.json import render

    names = member_names(source.path for source in diagnosis.inputs)
    for log in excerpts(inputs, diagnosis):
        bundle.text(names.get(log.path, "logs/" + log.path), log.text, log.left_out)
    for path in add:
        bundle.file(path)
    script = _script(diagnosis)
    if script:
        bundle.text("repro.py", script)
    shown = bundle.redactor.value(diagnosis)
    bundle.text("diagnosis.json", render(shown))
    return bundle.text("issue.md", text(shown, script, (*bundle.files, "issue.md")))


def _script(diagnosis: Diagnosis) -> str:
    """The minimal program of the first root that has a repro case, or "" when none has one."""
    case = next((finding.repro for finding in diagnosis.roots if finding.repro), None)
    if case is None:
        return ""
    from neurontriage.repro.catalogue import find_case
    from neurontriage.repro.script import render

    target = diagnosis.environment.get("target", "trn1")
    state = {"target": target, "versions": diagnosis.environment, "backend": "not run", "verdict": "not run"}
    return render(find_case(case), {**state, "reason": "written from a log"})


def _write(folder: Path, files: dict[str, bytes]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            stored.place(folder / name, [content])
    except OSError as error:
        raise TriageError(
            "unwritable-output", f"{folder}: {error.strerror}", "a folder that can be written", "choose another with -o"
        ) from error
