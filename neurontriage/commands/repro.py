"""`neurontriage repro`: recompile the minimal graph of a known failure and check its fixes."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from neurontriage.errors import Exit, TriageError

BACKENDS = ("auto", "xla-cpu", "neuronx-cc", "neuron", "torchneuron")
TARGETS = ("", "trn1", "trn1n", "trn2", "trn3", "inf2")
FORMATS = ("terminal", "json", "junit", "html", "table")
SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}


def repro(  # noqa: PLR0913 - one parameter per option of the command line
    case: str = typer.Argument("", metavar="[ID]", help="A knowledge entry that has a case (see --list)."),
    list_cases: bool = typer.Option(False, "--list", help="List the cases."),
    all_cases: bool = typer.Option(False, "--all", help="Run every case; a stopped run goes on where it was."),
    backend: str = typer.Option("auto", "--backend", help="One of: " + ", ".join(BACKENDS) + "."),
    target: str = typer.Option(
        "", "--target", help="This host's, else trn1, or one of:" + ", ".join(TARGETS)[1:] + "."
    ),
    output: Path = typer.Option(None, "--output", "-o", help="Folder for scripts, HLO, logs and results."),
    against: Path = typer.Option(None, "--against", help="Folder of an earlier run: show what changed since."),
    limit: float = typer.Option(900.0, "--limit", min=1.0, help="Seconds that one compilation may take."),
    flags: str = typer.Option("", "--flags", help="More compiler flags for every graph; NEURON_CC_FLAGS is ignored."),
    jobs: int = typer.Option(0, "--jobs", min=0, help="With --all: workers, and compilations, at one time."),
    cores: str = typer.Option("", "--cores", help="With --all: logical NeuronCores, one per worker, such as 0-31."),
    budget: str = typer.Option("", "--budget", help="With --all: start no case after this time, such as 90m or 2h."),
    only: str = typer.Option("", "--only", help="With --all: ids or patterns, such as 'TEN404-*,NCC-EVRF0*'."),
    layer: str = typer.Option("", "--layer", help="With --all: cases of one layer of the knowledge."),
    shard: str = typer.Option("", "--shard", help="With --all: the i-th of n parts, such as 2/8."),
    ray: str = typer.Option("", "--ray", help="With --all: on this Ray cluster (an address, auto, or local)."),
    compilers: list[str] = typer.Option(
        [], "--compiler", help="With --all: a neuronx-cc or its environment, repeatable."
    ),
    format: str = typer.Option("terminal", "--format", help="One of: " + ", ".join(FORMATS) + "."),
) -> None:
    """Rebuild the minimal graph of a known failure, compile it, and check every listed fix and fallback.

    Exit status 0 when confirmed; 1 when not: not reproduced, refuted, or the compiler at hand cannot tell.
    """
    wide = {"--jobs": jobs, "--cores": cores, "--budget": budget, "--only": only, "--layer": layer}
    wide |= {"--shard": shard, "--ray": ray, "--compiler": compilers}
    _check(case, list_cases, all_cases, [name for name, value in wide.items() if value])
    for option, value, choices in (
        ("--backend", backend, BACKENDS),
        ("--target", target, TARGETS),
        ("--format", format, FORMATS),
    ):
        _one_of(option, value, choices)
    if list_cases:
        return _list(format)
    from neurontriage.operators.flags import split
    from neurontriage.repro.running import Request, run_all, run_one

    chosen = (split(flags), jobs, cores, _seconds(budget), only, layer, shard, ray, tuple(compilers))
    request = Request(backend, target, output, limit, *chosen)
    outcome = run_all(request, against, _progress) if all_cases else run_one(case, request, against)
    _print(outcome.document, format, outcome.changes)
    raise typer.Exit(Exit.OK if outcome.confirmed else Exit.FOUND)


def _check(case: str, list_cases: bool, all_cases: bool, wide: list[str]) -> None:
    if (bool(case), list_cases, all_cases).count(True) != 1:
        raise TriageError(
            "repro-what",
            "not clear which case to run",
            "one of: an ID, --all, --list",
            "neurontriage repro --list",
        )
    if wide and not all_cases:
        raise TriageError("only-with-all", f"{', '.join(wide)}: only with --all", "neurontriage repro --all …")


def _one_of(option: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        listed = ", ".join(choice for choice in choices if choice)
        raise TriageError(f"wrong-{option[2:]}", f"{option} {value}: no such choice", listed)


def _seconds(text: str) -> float | None:
    if not text:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if match is None:
        raise TriageError(
            "wrong-budget", f"--budget {text}: no such time", "a number with s, m or h, such as 90m or 2h"
        )
    return float(match[1]) * SECONDS[match[2]]


def _list(format: str) -> None:
    from neurontriage.repro.catalogue import listing

    if format not in ("terminal", "json"):
        raise TriageError("wrong-format", f"--list --format {format}: no such list", "terminal, json")
    _print(listing(), format, ())


def _print(document: Mapping[str, Any], format: str, changes: tuple[Any, ...]) -> None:
    if format == "json":
        typer.echo(json.dumps(document, indent=2))
        return
    from neurontriage.repro import matrix, reporting

    if format == "table":
        typer.echo(json.dumps(matrix.measured(document), indent=1, ensure_ascii=False))
    elif format == "terminal":
        sys.stdout.write(reporting.draw(document, changes))
    else:
        typer.echo({"junit": matrix.junit, "html": matrix.page}[format](document))


def _progress(done: int, total: int, result: Mapping[str, Any]) -> None:
    typer.echo(f"[{done}/{total}] {result['case']}: {result['original']['outcome']}, {result['verdict']}", err=True)
