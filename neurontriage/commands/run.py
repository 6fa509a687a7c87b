"""`neurontriage run`: goes along with a command and explains at once when it fails, hangs or is killed."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import typer

from neurontriage.errors import TriageError

SETTINGS = {"allow_interspersed_args": False}
"""The first word that is no option of ours starts the command, with or without `--` before it."""
_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}


def run(  # noqa: PLR0913 - one parameter per option of the command line
    command: list[str] = typer.Argument(..., metavar="[--] COMMAND...", help="The command and its arguments."),
    silence: str = typer.Option("30m", "--silence", metavar="TIME", help="No output for so long is a hang; 0: never."),
    output: Path = typer.Option(None, "--output", "-o", help="Write a report too, in the format of its suffix."),
    knowledge: list[Path] = typer.Option([], "--knowledge", help="A folder with entries of your own (repeatable)."),
    follow: bool = typer.Option(True, "--follow/--no-follow", help="Read files that the output names."),
    roots: list[Path] = typer.Option([], "--follow-root", metavar="DIR", help="Look for them here too (repeatable)."),
    redact: str = typer.Option(None, "--redact", metavar="LEVEL", help="As with explain: none, secrets, strict."),
) -> None:
    """Run a command, pass its output through unchanged, and explain at once when it fails, hangs or is killed.

    Ends with the command's own exit code (128 + N for signal N).
    """
    from neurontriage.live.running import run as accompany
    from neurontriage.live.watcher import Plan
    from neurontriage.resources import own_knowledge

    if redact is not None:  # its rules take as long to be made as the rest
        from neurontriage.render.redaction import sharing

        sharing.check(redact)
    _check(output, knowledge)
    places = (Path.cwd(), Path(tempfile.gettempdir()), Path("/var/tmp"), *roots)
    own = tuple(own_knowledge(knowledge))
    plan = Plan(tuple(command), _seconds(silence), output, own, places if follow else (), redact)
    raise typer.Exit(accompany(plan))


def _seconds(text: str) -> float:
    """`90`, `90s`, `30m`, `2h` → seconds."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if not found:
        raise TriageError("wrong-silence", f"--silence {text}: no such time", "for example 90s, 30m, 2h, or 0")
    return float(found[1]) * _UNITS[found[2]]


def _check(output: Path | None, knowledge: list[Path]) -> None:
    from neurontriage.render.output import SUFFIXES

    if output is not None and output.suffix not in SUFFIXES:
        raise TriageError("wrong-suffix", f"-o {output}: no format ends like that", ", ".join(sorted(SUFFIXES)))
    if output is not None and not output.parent.is_dir():
        raise TriageError("unwritable-output", f"-o {output}: no such folder", "a file in a folder that exists")
    for folder in knowledge:
        if not folder.is_dir():
            raise TriageError("no-knowledge", f"{folder}: no such folder", "a folder with <layer>/<id>.yaml files")
