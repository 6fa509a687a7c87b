"""`neurontriage run`: goes along with a command and explains at once when it fails, hangs or is killed.

`live/plan.py` reads the same options without this module; what it does not understand is refused or explained here.
"""

from __future__ import annotations

from pathlib import Path

import typer

from neurontriage.errors import TriageError

SETTINGS = {"allow_interspersed_args": False}
"""The first word that is no option of ours starts the command, with or without `--` before it."""


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
    from neurontriage.live.plan import Plan
    from neurontriage.live.running import run as accompany
    from neurontriage.render.redaction import sharing

    sharing.check(redact)
    _check(output, knowledge)
    plan = Plan(command)
    plan.silence, plan.report, plan.redact, plan.follow = _seconds(silence), str(output or ""), redact, follow
    plan.knowledge, plan.roots = [str(one) for one in knowledge], [str(one) for one in roots]
    raise typer.Exit(accompany(plan))


def _seconds(text: str) -> float:
    from neurontriage.live.plan import seconds

    if (found := seconds(text)) is None:
        raise TriageError("wrong-silence", f"--silence {text}: no such time", "for example 90s, 30m, 2h, or 0")
    return found


def _check(output: Path | None, knowledge: list[Path]) -> None:
    from neurontriage.render.suffixes import SUFFIXES, by_suffix
    from neurontriage.resources import check

    if output is not None and by_suffix(output) is None:
        raise TriageError("wrong-suffix", f"-o {output}: no suffix tells the format", ", ".join(sorted(SUFFIXES)))
    if output is not None and not output.parent.is_dir():
        raise TriageError("unwritable-output", f"-o {output}: no such folder", "a file in a folder that exists")
    check(knowledge)
