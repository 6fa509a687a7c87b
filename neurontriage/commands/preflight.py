"""`neurontriage preflight`: will it compile, for which target and SDK, before anything is compiled."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from neurontriage import stored
from neurontriage.errors import Exit, TriageError

if TYPE_CHECKING:
    from neurontriage.preflight.model import Preflight

FORMATS = ("terminal", "json", "html")


def preflight(  # noqa: PLR0913 - one parameter per option of the command line
    what: str = typer.Argument(
        ...,
        metavar="TARGET",
        help="script.py, module:callable, .pt2, an HLO module or a folder of them, StableHLO (.mlir, jax.export).",
    ),
    arguments: list[str] = typer.Argument(None, metavar="[-- ARGS]", help="Passed on to the script or callable."),
    target: str = typer.Option("trn1", "--target", help="trn1, trn1n, trn2, trn3 or inf2."),
    sdk: str = typer.Option("", "--sdk", metavar="VERSION", help="Neuron SDK.", show_default="newest that suits"),
    flags: str = typer.Option("", "--flags", metavar="'FLAGS'", help="Flags of neuronx-cc, as in NEURON_CC_FLAGS."),
    frontend: str = typer.Option("auto", "--frontend", help="auto, dynamo, xla, hlo or stablehlo."),
    meta: bool = typer.Option(False, "--meta", help="Build module:callable without memory (meta tensors)."),
    tp: int = typer.Option(1, "--tp", min=1, help="Tensor-parallel degree, for the memory estimate."),
    pp: int = typer.Option(1, "--pp", min=1, help="Pipeline-parallel degree."),
    dp: int = typer.Option(1, "--dp", min=1, help="Data-parallel degree; counts with --zero1."),
    zero1: bool = typer.Option(False, "--zero1", help="Optimizer state is sharded over the data-parallel ranks."),
    dtype: str = typer.Option("", "--dtype", help="Estimate memory as if in this type, such as bfloat16."),
    optimizer: str = typer.Option(
        "", "--optimizer", help="adamw, adam, sgd, momentum or none.", show_default="as seen"
    ),
    export: Path = typer.Option(None, "--export", metavar="result.json", help="Write the analyze report too."),
    verbosity: int = typer.Option(2, "--verbosity", min=1, max=2, help="Of --export: 1 lists HLO instructions."),
    accuracy: bool = typer.Option(False, "--accuracy", help="Compare with the installed compiler's own list."),
    limit: float = typer.Option(600.0, "--limit", min=1.0, help="Seconds that the target may run."),
    output: Path = typer.Option(None, "--output", "-o", help="Write to this file and print its path."),
    format: str = typer.Option("", "--format", help="terminal, json or html.", show_default="terminal, or by suffix"),
) -> None:
    """Say whether a model will compile: per operator supported, unsupported, CPU, loses precision, or unknown.

    Exit status 1 when something is documented as unsupported. What no document says is `unknown`, never unsupported.
    """
    name = _format(format, output)
    from neurontriage.knowledge.catalog import load
    from neurontriage.operators.flags import split
    from neurontriage.preflight.checking import Request, check
    from neurontriage.preflight.memory import STATE, Sharding
    from neurontriage.preflight.targets import FRONTENDS, Wanted

    _one_of("--frontend", frontend, FRONTENDS)
    _one_of("--optimizer", optimizer, ("", *STATE))
    _dtype(dtype)
    wanted = Wanted(what, tuple(arguments or ()), frontend, meta, limit)
    sharding = Sharding(tp, pp, dp, zero1, dtype, optimizer)
    found = check(Request(wanted, target, sdk, split(flags), sharding, accuracy), load())
    if export:
        from neurontriage.preflight.export import exported

        _write(export, json.dumps(exported(found, verbosity), indent=4) + "\n")
        typer.echo(str(export), err=True)
    _show(found, name, output)
    raise typer.Exit(Exit.FOUND if found.unsupported else Exit.OK)


def _format(format: str, output: Path | None) -> str:
    by_suffix = {".json": "json", ".html": "html"}.get(output.suffix, "terminal") if output else "terminal"
    _one_of("--format", format or by_suffix, FORMATS)
    return format or by_suffix


def _one_of(option: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise TriageError(f"wrong-{option[2:]}", f"{option} {value}: no such choice", ", ".join(filter(None, choices)))


def _dtype(value: str) -> None:
    from neurontriage.hlo.dtypes import NUMBERS, TORCH

    if value and value not in TORCH and value not in NUMBERS:
        raise TriageError("wrong-dtype", f"--dtype {value}: no such type", "a torch dtype such as bfloat16")


def _show(found: Preflight, name: str, output: Path | None) -> None:
    from neurontriage.preflight import formats

    if name == "html":
        from neurontriage.render.redaction import redacted

        found = redacted(found.slim)
    text = formats.renderer(name)(found)
    if output is None:
        sys.stdout.write(text)
    else:
        _write(output, text)
        typer.echo(str(output))


def _write(path: Path, text: str) -> None:
    try:
        stored.place(path, [text.encode()])
    except OSError as error:
        raise TriageError(
            "cannot-write", f"{path}: {error.strerror or error}", "a file that can be written", "choose one with -o"
        ) from None
