"""`neurontriage schema`: the JSON Schema of what the other commands print as JSON."""

from __future__ import annotations

import json

import typer

from neurontriage.contract import DESCRIBED
from neurontriage.contract import schema as described
from neurontriage.errors import unknown


def schema(
    name: str = typer.Argument(
        "explain",
        metavar="[" + "|".join(DESCRIBED) + "]",
        help="The command whose JSON it is; each: of explain --each.",
    ),
) -> None:
    """Print the JSON Schema of a command's JSON."""
    if name not in DESCRIBED:
        raise unknown("schema", name, DESCRIBED)
    typer.echo(json.dumps(described(name), indent=2))
