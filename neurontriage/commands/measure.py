"""`neurontriage measure`: what execution patterns cost, in compilations, synchronisations and time."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from neurontriage.errors import Exit, TriageError, unknown
from neurontriage.measure.plan import BACKENDS, GRAPHS, PATTERNS, STEP, Plan

INTERRUPTED = 130
_EVERY = "all of them"


def measure(  # noqa: PLR0913 - one parameter per option of the command line
    graphs: str = typer.Option("", "--graphs", help=f"Some of {','.join(GRAPHS)}.", show_default=_EVERY),
    patterns: str = typer.Option("", "--patterns", help=f"Some of {','.join(PATTERNS)}.", show_default=_EVERY),
    warmup: int = typer.Option(5, "--warmup", min=0, help="Warm-up runs at least; more until the times are stable."),
    trials: int = typer.Option(10, "--trials", min=1, help="Timed runs of each combination in each process."),
    exclude_first: bool = typer.Option(
        True, "--exclude-first/--no-exclude-first", help="Leave the first trial of each process out of the statistics."
    ),
    enable_reinit: bool = typer.Option(False, "--enable-reinit", help="A new process for every combination."),
    batch: int = typer.Option(8, "--batch", min=1, help="Rows of the input."),
    iterations: int = typer.Option(3, "--iterations", min=2, help="How often a pattern applies its module."),
    processes: int = typer.Option(0, "--processes", min=0, help="Repetitions in new processes.", show_default="3"),
    seed: int = typer.Option(0, "--seed", help="Of weights, inputs and the order of the runs."),
    backend: str = typer.Option("auto", "--backend", help="One of: " + ", ".join(BACKENDS) + "."),
    module: str = typer.Option("", "--module", help="file.py:function that returns (module, inputs[, step])."),
    shapes: str = typer.Option("", "--shapes", help="Of the first input of --module: 8x127,8x128."),
    compare: Path = typer.Option(None, "--compare", help="An older result: which counts changed, which times differ."),
    imported: Path = typer.Option(None, "--import", help="JSON of single runs: which conclusions it carries."),
    output: Path = typer.Option(None, "--output", "-o", help="File for the result, in --format or by its suffix."),
    format: str = typer.Option("", "--format", help="terminal, json, html or markdown.", show_default="terminal"),
) -> None:
    """Measure compilation, synchronisation and run time of execution patterns.

    Exit status 1 when a combination could not be measured. On CPU the counts carry over to Neuron, the times do not.
    """
    from neurontriage.measure import comparing, importing, keeping, measuring

    format = _format(format, output)
    if output:
        keeping.check(output)
    old = comparing.load(compare) if compare else None
    if imported:
        result = importing.load(imported)
    else:
        subject, ways = _subject(graphs, patterns, module, shapes)
        own, sizes = _own(module, shapes)
        repeats = (warmup, trials, exclude_first, enable_reinit)
        plan = Plan(subject, ways, *repeats, batch, iterations, backend, processes, seed, own, sizes)
        result = measuring.measure(plan, lambda text: typer.echo(text, err=True))
    if old:
        result["compared"] = comparing.compared(old, result, str(compare))
    _show(result, format, output)
    raise typer.Exit(_exit_code(result))


def _subject(graphs: str, patterns: str, module: str, shapes: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the graphs and patterns: the built-in ones, or those of the user's module."""
    if not module and not shapes:
        return _some("--graphs", graphs, GRAPHS), _some("--patterns", patterns, PATTERNS)
    if not module or graphs or patterns:
        raise TriageError(
            "measure-what", "not clear what to measure", "--graphs and --patterns, or --module and --shapes"
        )
    from neurontriage.measure import module as own

    text, sizes = _own(module, shapes)
    return own.keys(text, sizes), (STEP,)


def _own(module: str, shapes: str) -> tuple[str, tuple[tuple[int, ...], ...]]:
    """The user's module and its shapes, checked before torch is imported."""
    from neurontriage.measure import module as own
    from neurontriage.measure import shapes as sizes

    if module:
        own.split(module)
    return module, sizes.parse(shapes)


def _some(option: str, given: str, known: Sequence[str]) -> tuple[str, ...]:
    wanted = tuple(dict.fromkeys(name.strip() for name in given.split(",") if name.strip())) or tuple(known)
    if wrong := [name for name in wanted if name not in known]:
        raise TriageError(f"wrong-{option[2:]}", f"{option} {', '.join(wrong)}: no such choice", ", ".join(known))
    return wanted


def _format(given: str, output: Path | None) -> str:
    from neurontriage.measure import formats

    chosen = given or (formats.SUFFIXES.get(output.suffix.lower(), "json") if output else "terminal")
    if chosen not in formats.names():
        raise unknown("--format", chosen, formats.names())
    return chosen


def _show(result: Mapping[str, Any], format: str, output: Path | None) -> None:
    """With --output the file holds the result and the terminal its summary; a result is never lost to a full disk."""
    from neurontriage.measure import formats, keeping

    text = formats.render(format, result)
    if not output:
        sys.stdout.write(text)
        return
    try:
        keeping.write(output, text)
    except TriageError:
        sys.stdout.write(text)
        raise
    sys.stdout.write(formats.render("terminal", result))
    typer.echo(f"written: {output}", err=True)


def _exit_code(result: Mapping[str, Any]) -> int:
    if result["interrupted"]:
        return INTERRUPTED
    return Exit.OK if all(row["status"] == "measured" for row in result["patterns"]) else Exit.FOUND
