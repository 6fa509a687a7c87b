"""What a child process finds goes into a folder as it happens, so that a child that dies loses nothing.

`events.jsonl`: one JSON object per line with a `kind`; graphs lie beside it as files.
"""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import Any

EVENTS = "events.jsonl"
_LONGEST = 2_000
_OWN = str(Path(__file__).resolve().parents[2])
_LIBRARY = re.compile(r"(^|/)(site-packages|dist-packages|lib/python\d[\d.]*|lib64/python\d[\d.]*)/|^<")
_FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>\S+))?')


class NotATarget(Exception):
    """The target cannot be run as what it is; the text says why."""


class Recorder:
    """Appends events to the folder; silent in processes that the script forks."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._pid, self._graphs = folder, os.getpid(), 0
        self._file = (folder / EVENTS).open("a", encoding="utf-8")

    def note(self, kind: str, **fields: Any) -> None:
        """Write one event at once; a process that was forked off writes nothing."""
        if os.getpid() == self._pid:
            self._file.write(json.dumps({"kind": kind, **fields}, default=str) + "\n")
            self._file.flush()

    def graph(self, data: bytes, **fields: Any) -> None:
        """Writes an HLO module and the event that names it."""
        if os.getpid() != self._pid:
            return
        self._graphs += 1
        name = f"graph-{self._graphs:04}.hlo_module.pb"
        (self.folder / name).write_bytes(data)
        self.note("graph", file=name, id=f"graph-{self._graphs:04}", **fields)

    def ended(self, error: BaseException | None) -> None:
        """How the script ended; the traceback is kept from the script's own frames on."""
        if error is None or (isinstance(error, SystemExit) and error.code in (None, 0)):
            self.note("ended", how="done")
        elif isinstance(error, SystemExit):
            status = error.code if isinstance(error.code, int) else f"1: {error.code}"
            self.note("ended", how="exit", text=f"the script left with exit status {status}")
        elif isinstance(error, NotATarget):
            self.note("ended", how="refused", text=str(error))
        else:
            text = said(_told(error))
            self.note("ended", how="exception", text=text, site=_error_site(error))


def said(message: str) -> str:
    """The first line of a message, and the explanation that torch.compile gives further down."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    more = [line.removeprefix("Explanation: ") for line in lines[1:] if line.startswith("Explanation: ")]
    return ": ".join([*lines[:1], *more[:1]])[:_LONGEST]


def library(file: str) -> bool:
    """Whether a file belongs to Python, an installed package or this program."""
    return file.startswith(_OWN) or _LIBRARY.search(file) is not None


def site(file: str, line: int) -> str:
    """`model.py:41`, relative to the working directory where the file is below it."""
    here = os.getcwd() + os.sep
    return f"{file.removeprefix(here)}:{line}"


def here() -> tuple[str, str]:
    """The user's innermost frame that runs now: place and function; empty where there is none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not library(frame.f_code.co_filename):
            return site(frame.f_code.co_filename, frame.f_lineno), frame.f_code.co_name
        frame = frame.f_back
    return "", ""


def site_in(stack: str | Iterable[str]) -> str:
    """The user's innermost frame in a printed traceback; empty where there is none."""
    text = stack if isinstance(stack, str) else "".join(stack)
    own = [m for m in _FRAME.finditer(text) if not library(m["file"])]
    return site(own[-1]["file"], int(own[-1]["line"])) if own else ""


def _error_site(error: BaseException) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not library(f.filename)]
    return site(frames[-1].filename, frames[-1].lineno or 0) if frames else ""


def _told(error: BaseException) -> str:
    """What an exception says; of a syntax error the last line, with its place."""
    lines = "".join(traceback.format_exception_only(type(error), error)).strip()
    place = f" ({error.filename}, line {error.lineno})" if isinstance(error, SyntaxError) else ""
    return lines.splitlines()[-1] + place if place else lines
