"""What became of a command → a sentence; the diagnosis of its output → standard error and the report file."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from neurontriage.live.hang import duration

TYPE_CHECKING = False  # typing's own takes as long to be imported as the rest of this module
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from neurontriage.model import Diagnosis

_BY_SIGNAL = 128
"""A shell ends with this and the number of the signal that ended its command."""
_REAL_TIME = 32
"""Signals from this on have no meaning of their own."""
_AS_IT_IS = ("terminal", "full", "json")


class Ended:
    """How a command ended: its exit code, or the signal that ended it; `seconds`: how long it ran.

    `unwritten`: bytes of its output that our own output did not take, because of `fault`. `open`: the channels that
    some process still writes into.
    """

    def __init__(self, words: Sequence[str], told: dict[str, Any]) -> None:
        self.words = words
        self.code: int = told["code"]
        self.seconds: float = told["seconds"]
        self.unwritten: int = told["unwritten"]
        self.fault: str = told["fault"]
        self.open: list[int] = told["open"]

    @property
    def name(self) -> str:
        """The command as one would type it, cut where it is long."""
        import shlex

        from neurontriage.render.text import printable

        text = " ".join(printable(shlex.join(self.words)).split())
        return text if len(text) <= 60 else text[:59] + "…"

    @property
    def fatal(self) -> str:
        """What a shell says of a command that died of a signal: `Killed`, `Segmentation fault`; "" of all others.

        Nothing where somebody asked it to end, or a reader went.
        """
        import signal

        number = -self.code if self.code < 0 else self.code - _BY_SIGNAL
        asked = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGPIPE)
        fatal = 0 < number < _REAL_TIME and number not in asked
        return signal.strsignal(number) or "" if fatal else ""

    def __str__(self) -> str:
        after = duration(self.seconds)
        if self.code >= 0:
            return f"`{self.name}` ended with exit code {self.code} after {after}"
        import signal

        try:
            name = signal.Signals(-self.code).name
        except ValueError:
            name = f"signal {-self.code}"
        return f"`{self.name}` was ended by {name} after {after}"


def say(text: str) -> None:
    """One line of ours on standard error; a closed terminal is no reason to stop."""
    from neurontriage.render.text import printable

    show(f"neurontriage: {printable(text)}\n")


def show(text: str) -> None:
    """Text of ours on standard error; a terminal may be in raw mode, where a line feed does not go to the left."""
    if os.isatty(2):
        text = "\r" + text.replace("\n", "\r\n")
    data = text.encode(getattr(sys.stderr, "encoding", None) or "utf-8", "replace")
    try:
        while data:
            data = data[os.write(2, data) :]
    except OSError:
        return


def write(diagnosis: Diagnosis, path: Path, redact: str | None) -> None:
    """Write the report file in the format of its suffix; where it cannot be written, say so.

    `redact`: the level that was asked for; None takes secrets out of what is made to be shared.
    """
    from neurontriage import reports, stored
    from neurontriage.render.redaction.sharing import prepared
    from neurontriage.render.suffixes import SUFFIXES

    format = SUFFIXES[path.suffix]
    shown, note = prepared(diagnosis, redact, format not in _AS_IT_IS)
    text = reports.renderer(format)(shown)
    try:
        stored.place(path, [text.encode("utf-8", "backslashreplace")])
    except OSError as error:
        say(f"{path}: {error.strerror}: the report is not written")
    else:
        say(f"report: {path}")
        if note:
            say(note)
