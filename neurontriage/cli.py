"""The command line: finds the commands, runs one, and turns every error into an exit code, in one place."""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from neurontriage import __version__
from neurontriage.errors import Exit, TriageError
from neurontriage.render.text import printable

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What keeps standard output from taking more."""
_BARRED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO, errno.ESTALE, errno.ELOOP, errno.ENAMETOOLONG)
"""What keeps a named file or folder from being used: rights, a disk that does not answer, links that lead nowhere."""
COMMANDS = Path(__file__).parent / "commands"
COMPLETES = "_NEURONTRIAGE_COMPLETE"  # set by a shell that completes a command line
EPILOG = """Examples:
  neurontriage build.log                         one screen: cause, proof, first fix
  neurontriage explain logs/ --full              everything, for all logs of an incident
  neurontriage explain 'logs/*.log' --each       every log for itself, grouped by cause
  kubectl logs job/train | neurontriage explain -
  neurontriage explain build.log -o build.html   the suffix chooses the format
  neurontriage kb show NCC_EVRF009               what a code means, without a log

Exit codes: 0 nothing wrong found, 1 a failure was found (see --fail-on), 2 wrong options or an input that
cannot be read, 3 neurontriage itself failed, 130 interrupted (what was found until then is printed)."""


def commands() -> list[str]:
    """The names of all commands: the modules of the folder `commands/`."""
    return sorted(path.stem.replace("_", "-") for path in COMMANDS.glob("*.py") if path.stem != "__init__")


def build(wanted: str | None = None) -> typer.Typer:
    """The application with the wanted command only, or with the names of all of them (for help and a wrong name)."""
    known = commands()
    app = typer.Typer(
        name="neurontriage",
        epilog=EPILOG,
        no_args_is_help=True,
        add_completion=wanted not in known or COMPLETES in os.environ,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        cls=_Group,
    )
    app.callback()(_version)
    for name in [wanted] if wanted in known else known:
        if wanted in known:
            _add(app, name)
        else:
            app.command(name, help=_about(name), cls=_Named)(_unbuilt)
    return app


def _add(app: typer.Typer, name: str) -> None:
    stem = name.replace("-", "_")
    module = importlib.import_module(f"neurontriage.commands.{stem}")
    if hasattr(module, "app"):
        app.add_typer(module.app, name=name)
    else:
        app.command(name, context_settings=getattr(module, "SETTINGS", None))(getattr(module, stem))


def _about(name: str) -> str:
    """What a command does, from the first line of its module, which need not be imported for that."""
    with open(COMMANDS / f"{name.replace('-', '_')}.py", encoding="utf-8") as module:
        said = module.readline().strip().strip('"').partition(": ")[2]
    return said[:1].upper() + said[1:]


def _unbuilt() -> None:
    """Stands for a command whose name is all that is asked for."""


class _Named(TyperCommand):
    """A command in the overview: its text is never cut."""

    def get_short_help_str(self, limit: int = 45) -> str:
        return self.help or ""


class _Group(TyperGroup):
    """The overview, with the examples and the exit codes in lines as they are written."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        formatter.write(f"\n{self.epilog}\n")


def _shown(value: bool) -> None:
    if value:
        typer.echo(f"neurontriage {__version__}")
        raise typer.Exit(Exit.OK)


def _version(
    version: bool = typer.Option(False, "--version", "-V", callback=_shown, is_eager=True, help="Show the version."),
) -> None:
    """Says why an AWS Neuron (Trainium, Inferentia) job failed, from its logs."""


def main(arguments: list[str] | None = None) -> None:
    """Run the program and leave with its exit code (see `errors.Exit`)."""
    words = sys.argv[1:] if arguments is None else arguments
    _guard_streams()
    words = as_meant(words)
    sys.exit(run(build(_named(words)), words))


def as_meant(words: list[str]) -> list[str]:
    """`neurontriage build.log` means `neurontriage explain build.log`: words without a command but with a log."""
    if not words or any(word in commands() for word in words) or words[0] in ("-h", "--help", "-V", "--version"):
        return words
    if not words[0].startswith("-") and not _place(words[0]):
        return words  # a command whose name is wrong
    return ["explain", *words] if any(word == "-" or _place(word) for word in words) else words


def _place(word: str) -> bool:
    """Whether a word is that of a file or folder, of a pattern for them or an address: there, or written like one."""
    return not word.startswith("-") and (os.path.lexists(word) or any(sign in word for sign in "./\\*?"))


def _named(words: list[str]) -> str | None:
    """The command that is asked for; while a shell completes a line, the one in that line."""
    asked = [*words, *os.environ.get("COMP_WORDS", os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()[1:]]
    return next((word for word in asked if not word.startswith("-")), None)


def _guard_streams() -> None:
    """A closed stream swallows what is printed; an arrow that the locale cannot print becomes a question mark."""
    sys.stdout = sys.stdout or open(os.devnull, "w")
    sys.stderr = sys.stderr or open(os.devnull, "w")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def run(app: Any, words: list[str]) -> int:
    """Run one command line and give its exit code; errors are printed on stderr."""
    code: int = Exit.OK
    try:
        code = _ended(app, words)
        sys.stdout.flush()
    except TriageError as error:
        return _refused(error)
    except BrokenPipeError:  # `| head` has what it wanted
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:  # noqa: BLE001 - the last stop: anything else is our own fault
        if isinstance(error, OSError) and (fault := _outside(error)):
            return _refused(fault)
        return crashed(error, words)
    return code


def _outside(error: OSError) -> TriageError | None:
    """What is said of a fault that is the machine's: no room behind standard output, a place that may not be used."""
    if error.errno in _FULL and error.filename is None:
        from neurontriage.render.output import unprinted

        return unprinted(error)
    if error.errno in _BARRED and error.filename is not None:
        what, hint = f"{error.filename}: {error.strerror}", f"ls -ld {Path(str(error.filename)).parent}"
        return TriageError("barred", what, "a file or folder that this user may use, on a disk that answers", hint)
    return None


def _ended(app: Any, words: list[str]) -> int:
    try:
        app(args=words, prog_name="neurontriage", standalone_mode=True)
    except SystemExit as leaving:
        if isinstance(leaving.__context__, BrokenPipeError):  # Click's own end of it would say that a failure was found
            raise leaving.__context__ from None
        return int(leaving.code or 0)
    return Exit.OK


def _refused(error: TriageError) -> int:
    typer.echo(printable(str(error)), err=True)
    return error.exit_code


def crashed(error: Exception, words: list[str]) -> int:
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
