"""Where an answer goes: standard output in the terminal's encoding, or a file whose suffix tells the format."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from neurontriage import stored
from neurontriage.errors import TriageError
from neurontriage.render.suffixes import SUFFIXES, by_suffix


def chosen(format: str | None, output: Path | None, asked: Mapping[str, bool]) -> str:
    """The format that options ask for: `--format`, a flag such as `--html`, else the suffix of the file, else terminal.

    Raises TriageError where two of them contradict each other, or nothing but a suffix asks, and no format has it.
    """
    flags = [name for name, given in asked.items() if given]
    suffix = SUFFIXES.get(output.suffix.lower()) if output else None
    named = dict.fromkeys([*([format] if format else []), *flags])
    if len(named) > 1:
        raise _contradiction(" and ".join(f"--{n}" if n in flags else f"--format {n}" for n in named))
    name = next(iter(named), None)
    text = name in ("terminal", "full") and suffix == "terminal"
    if name and suffix and name != suffix and not text and not (suffix == "json" and name in ("gitlab", "sarif")):
        raise _contradiction(f"--format {name} and {output}")
    return name or (output and by_suffix(output)) or "terminal"


def _contradiction(what: str) -> TriageError:
    hint = "leave one of them out: the suffix of -o chooses the format"
    return TriageError("contradiction", f"{what} ask for different formats", "one format", hint)


def deliver(text: Iterable[str], output: Path | None, plain: bool = False) -> None:
    """Write a text, or its pieces. `plain`: for people, in the terminal's encoding; else UTF-8, the same everywhere."""
    pieces = [text] if isinstance(text, str) else text
    if output is not None:
        _written(output, pieces)
        _printed([f"{output}\n"], True)
    else:
        _printed(pieces, plain)


def _printed(pieces: Iterable[str], plain: bool) -> None:
    try:
        if plain or not hasattr(sys.stdout, "buffer"):
            sys.stdout.writelines(pieces)
        else:
            for piece in pieces:
                sys.stdout.buffer.write(_bytes(piece))
        sys.stdout.flush()
    except BrokenPipeError:  # `| head` has what it wanted
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        raise unprinted(error) from error


def unprinted(error: OSError) -> TriageError:
    """What is said where standard output does not take any more."""
    what = f"standard output: {error.strerror}"
    return TriageError("unwritable-output", what, "room for the answer", "make room, or send it elsewhere")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _written(path: Path, pieces: Iterable[str]) -> None:
    try:
        stored.place(path, map(_bytes, pieces))
    except OSError as error:
        raise _unwritable(str(path), error.strerror) from error


def _unwritable(name: str, why: str | None) -> TriageError:
    return TriageError(
        "unwritable-output", f"{name}: {why}", "a file that can be written", "choose another place with -o"
    )
