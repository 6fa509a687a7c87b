"""`neurontriage repro`: recompile the minimal graph of a known failure and check its fixes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from neurontriage.errors import Exit, TriageError

BACKENDS = ("auto", "xla-cpu", "neuronx-cc", "neuron")
TARGETS = ("trn1", "trn1n", "trn2", "inf2")
FORMATS = ("terminal", "json")


def repro(  # noqa: PLR0913 - one parameter per option of the command line
    case: str = typer.Argument("", metavar="[ID]", help="A knowledge entry that has a case (see --list)."),
    list_cases: bool = typer.Option(False, "--list", help="List the cases."),
    all_cases: bool = typer.Option(False, "--all", help="Run every case; a stopped run goes on where it was."),
    backend: str = typer.Option("auto", "--backend", help="One of: " + ", ".join(BACKENDS) + "."),
    target: str = typer.Option("trn1", "--target", help="One of: " + ", ".join(TARGETS) + "."),
    output: Path = typer.Option(None, "--output", "-o", help="Folder for scripts, HLO, logs and results."),
    against: Path = typer.Option(None, "--against", help="Folder of an earlier run: show what changed since."),
    limit: float = typer.Option(900.0, "--limit", min=1.0, help="Seconds that one compilation may take."),
    format: str = typer.Option("terminal", "--format", help="One of: " + ", ".join(FORMATS) + "."),
) -> None:
    """Rebuild the minimal graph of a known failure, compile it, and check every listed fix and fallback.

    Exit status 0 when confirmed; 1 when not: refuted, or the compiler at hand cannot tell.
    """
    _check(case, list_cases, all_cases)
    _one_of("--backend", backend, BACKENDS)
    _one_of("--target", target, TARGETS)
    _one_of("--format", format, FORMATS)
    if list_cases:
        return _list(format)
    from neurontriage.repro.running import Request, run_all, run_one

    request = Request(backend, target, output, limit)
    outcome = run_all(request, against, _progress) if all_cases else run_one(case, request, against)
    _print(outcome.document, format, outcome.changes)
    raise typer.Exit(Exit.OK if outcome.confirmed else Exit.FOUND)


def _check(case: str, list_cases: bool, all_cases: bool) -> None:
    if (bool(case), list_cases, all_cases).count(True) != 1:
        raise TriageError(
            "repro-what",
            "not clear which case to run",
            "one of: an ID, --all, --list",
            "neurontriage repro --list",
        )


def _one_of(option: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise TriageError(f"wrong-{option[2:]}", f"{option} {value}: no such choice", ", ".join(choices))


def _list(format: str) -> None:
    from neurontriage.repro.catalogue import listing

    _print(listing(), format, ())


def _print(document: Mapping[str, Any], format: str, changes: tuple[Any, ...]) -> None:
    if format == "json":
        typer.echo(json.dumps(document, indent=2))
        return
    from neurontriage.repro import reporting

    reporting.show(reporting.draw(document, changes))


def _progress(done: int, total: int, result: Mapping[str, Any]) -> None:
    typer.echo(f"[{done}/{total}] {result['case']}: {result['original']['outcome']}, {result['verdict']}", err=True)
