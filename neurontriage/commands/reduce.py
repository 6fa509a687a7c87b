"""`neurontriage reduce`: the few instructions of a module that still fail to compile the same way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from neurontriage.errors import Exit, TriageError

if TYPE_CHECKING:
    from neurontriage.reduce import running


def reduce(  # noqa: PLR0913 - one parameter per option of the command line
    target: str = typer.Argument(
        ..., metavar="TARGET", help="An HLO module, a folder of them, a torch-xla script, or module:callable."
    ),
    like: str = typer.Option("", "--like", metavar="ID", help="The failure to keep, by its id in the knowledge base."),
    check: str = typer.Option("", "--check", metavar="'COMMAND {}'", help="Compile with this; {} is the module."),
    log: Path = typer.Option(None, "--log", help="Log of the failure: gives id, target and compiler flags."),
    device: str = typer.Option("", "--target", help="trn1, trn1n, trn2, trn3, inf2.", show_default="from the log"),
    flags: str = typer.Option("", "--flags", metavar="'FLAGS'", help="Of neuronx-cc.", show_default="from the log"),
    output: Path = typer.Option(Path("reduced"), "--output", "-o", help="Folder; a stopped run goes on in it."),
    jobs: int = typer.Option(1, "--jobs", "-j", min=1, help="Compilations at the same time."),
    calls: int = typer.Option(2_000, "--calls", min=1, help="Compilations at most."),
    limit: float = typer.Option(600.0, "--limit", min=0.1, help="Seconds that one compilation may take."),
    time: float = typer.Option(0.0, "--time", min=0.0, help="Seconds for everything.", show_default="no limit"),
    shapes: bool = typer.Option(True, "--shapes/--no-shapes", help="Make shapes smaller too."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr."),
) -> None:
    """Shrink an HLO module to what still fails the same way, ready to be attached to an issue.

    With --like the compiler's output is explained and must give the same finding; with --check alone, exit status 0
    means that it still fails. Exit status 0 when something smaller was found; 1 when the original does not fail that
    way, or nothing smaller does.
    """
    from neurontriage.operators.flags import split
    from neurontriage.reduce import outputs, running
    from neurontriage.reduce.asking import Budget

    explain = running.explainer()
    if log is not None and not log.is_file():
        raise TriageError("no-log", f"{log}: no such file", "the log of the failure")
    like = _entry(like) if like else _of_log(log, explain)
    if not like and not check:
        raise TriageError(
            "reduce-what", "not clear which failure to keep", "--like ID, --log FILE or --check 'COMMAND {}'"
        )
    budget = Budget(calls, time or float("inf"), jobs)
    request = running.Request(target, output, like, check, log, device, split(flags), limit, budget, shapes)
    outcome = running.run(request, explain, (lambda _: None) if quiet else _say)
    _show(outcome, outputs.write(outcome, request))
    if outcome.interrupted:
        raise typer.Exit(Exit.INTERRUPTED)
    raise typer.Exit(Exit.OK if outcome.smaller else Exit.FOUND)


def _entry(name: str) -> str:
    """The entry of an id, or of another name that it goes by."""
    from difflib import get_close_matches

    from neurontriage.knowledge.catalog import load

    articles = load().articles
    if name in articles:
        return name
    called = {alias: entry for entry in articles for alias in articles[entry].get("aliases", ())}
    if name not in called:
        near = get_close_matches(name, [*articles, *called], 3, 0.7)
        hint = f"nearest: {', '.join(near)}" if near else "neurontriage kb list"
        raise TriageError("no-such-entry", f"--like {name}: no such entry", "the id or code of an entry", hint)
    return called[name]


def _of_log(log: Path | None, explain: running.Explain) -> str:
    """The first root cause that a log names."""
    if log is None:
        return ""
    roots = explain(log.read_text(encoding="utf-8", errors="replace")).roots
    if not roots:
        raise TriageError(
            "no-failure", f"{log}: no failure was recognised in it", "a log that `neurontriage explain` explains"
        )
    return roots[0].id


def _say(text: str) -> None:
    typer.echo(text, err=True)


def _show(outcome: running.Outcome, written: list[Path]) -> None:
    from neurontriage.reduce.session import size
    from neurontriage.render.text import printable

    if outcome.reduced is None:
        typer.echo(printable(f"Not reduced: {outcome.reason}."))
        return
    before, after = size(outcome.original), size(outcome.reduced)
    typer.echo(f"{before:,} → {after:,} operators in {outcome.calls:,} calls.")
    if outcome.identity:
        typer.echo(printable(f"Fails as {outcome.identity.entry}: {outcome.identity.text}"))
    for line in (
        *[one for one in outcome.passes[:1] if one.startswith("torch.compile")],
        *outcome.notes,
        *(f"On the way, {n} times: {said}" for said, n in outcome.others.items()),
    ):
        typer.echo(printable(line))
    for path in written:
        typer.echo(str(path))
