"""The command line: finds the commands, runs one, and turns every error into an exit code, in one place."""

from __future__ import annotations

import gc
import importlib
import io
import os
import sys
from pathlib import Path
from typing import Any

import typer

from neurontriage import __version__
from neurontriage.errors import Exit, TriageError
from neurontriage.render.text import printable

_COLLECT = 50_000  # new objects between two searches for cycles: importing makes many and throws none away
COMMANDS = Path(__file__).parent / "commands"


def commands() -> list[str]:
    """The names of all commands: the modules of the folder `commands/`."""
    return sorted(path.stem for path in COMMANDS.glob("*.py") if path.stem != "__init__")


def build(wanted: str | None = None) -> typer.Typer:
    """The application with the wanted command only, or with all of them (for help and for a wrong name)."""
    app = typer.Typer(
        name="neurontriage",
        help="Says why an AWS Neuron (Trainium, Inferentia) job failed, from its logs.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_version)
    for name in [wanted] if wanted in commands() else commands():
        module = importlib.import_module(f"neurontriage.commands.{name}")
        if hasattr(module, "app"):
            app.add_typer(module.app, name=name)
        else:
            app.command(name, context_settings=getattr(module, "SETTINGS", None))(getattr(module, name))
    return app


def _shown(value: bool) -> None:
    if value:
        typer.echo(f"neurontriage {__version__}")
        raise typer.Exit(Exit.OK)


def _version(
    version: bool = typer.Option(False, "--version", callback=_shown, is_eager=True, help="Show the version."),
) -> None:
    """Says why an AWS Neuron (Trainium, Inferentia) job failed, from its logs."""


def main(arguments: list[str] | None = None) -> None:
    """Run the program and leave with its exit code (see `errors.Exit`)."""
    words = sys.argv[1:] if arguments is None else arguments
    _guard_streams()
    gc.set_threshold(_COLLECT)
    named = next((word for word in words if not word.startswith("-")), None)
    sys.exit(run(build(named), words))


def _guard_streams() -> None:
    """A closed stream swallows what is printed; an arrow that the locale cannot print becomes a question mark."""
    sys.stdout = sys.stdout or open(os.devnull, "w")
    sys.stderr = sys.stderr or open(os.devnull, "w")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def run(app: Any, words: list[str]) -> int:
    """Run one command line and give its exit code; errors are printed on stderr."""
    try:
        app(args=words, prog_name="neurontriage", standalone_mode=True)
    except SystemExit as leaving:
        return int(leaving.code or 0)
    except TriageError as error:
        typer.echo(printable(str(error)), err=True)
        return error.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
    except Exception as error:  # noqa: BLE001 - the last stop: anything else is our own fault
        return _crashed(error, words)
    return Exit.OK


def _crashed(error: Exception, words: list[str]) -> int:
    """A failure of the tool itself: one line, and a file with all that an issue needs."""
    import tempfile
    import traceback

    text = "".join(traceback.format_exception(error))
    report = f"neurontriage {__version__}, Python {sys.version}, {sys.platform}\nargv: {words}\n\n{text}"
    handle, path = tempfile.mkstemp(prefix="neurontriage-crash-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(report)
    typer.echo(
        f"error: neurontriage itself failed ({type(error).__name__}); please report the text in {path}",
        err=True,
    )
    return Exit.CRASH


if __name__ == "__main__":
    main()
