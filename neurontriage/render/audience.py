"""For whom text is drawn: how many columns, colours or none, which language. Guessed from the streams, or set."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from typing import NamedTuple

_WIDEST = 110
_NARROWEST = 40
LANGUAGES = ("en", "ja", "ko")
_LETTERS = {"ja": "あア一", "ko": "가"}


class Audience(NamedTuple):
    """`columns` None: nobody looks at a terminal, so nothing is wrapped and nothing cut."""

    columns: int | None = None
    colour: bool = False
    language: str = "en"


_SET: ContextVar[Audience | None] = ContextVar("audience", default=None)


def audience() -> Audience:
    """The one that was set, else whoever reads standard output."""
    return _SET.get() or Audience(_columns(), _colour())


@contextlib.contextmanager
def addressed(to: Audience) -> Iterator[None]:
    """All that is drawn inside is drawn for `to`."""
    token = _SET.set(to)
    try:
        yield
    finally:
        _SET.reset(token)


def reader(language: str | None, to_file: bool, encoded: bool = False) -> Audience:
    """Who reads the output of a command: a file is neither wrapped nor coloured.

    `encoded`: the output is UTF-8 wherever it goes. All else is English where standard output lacks the letters.
    """
    chosen = language or preferred()
    if not (to_file or encoded) and not _prints(chosen):
        told = f"note: standard output is {sys.stdout.encoding}, which has no letters for --lang {chosen}: in English\n"
        sys.stderr.write(told)
        chosen = "en"
    return Audience(language=chosen) if to_file else audience()._replace(language=chosen)


def _prints(language: str) -> bool:
    """Whether standard output's encoding has the letters of a language."""
    try:
        _LETTERS.get(language, "").encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def preferred() -> str:
    """The language of the locale (`LC_ALL`, `LC_MESSAGES`, `LANG`), English where there is no text in it."""
    named = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    return named[:2] if named[:2] in LANGUAGES else "en"


def _tty() -> bool:
    return bool(sys.stdout and sys.stdout.isatty())


def _columns() -> int | None:
    """A terminal's width, or `$COLUMNS` where it is exported for a pipe."""
    if not _tty() and not os.environ.get("COLUMNS", "").isdigit():
        return None
    return max(_NARROWEST, min(shutil.get_terminal_size((80, 24)).columns, _WIDEST))


def _colour() -> bool:
    """https://no-color.org, https://bixense.com/clicolors, https://force-color.org: the first beats the others."""
    if "NO_COLOR" in os.environ:
        return False
    if any(os.environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return _tty() and os.environ.get("CLICOLOR") != "0" and os.environ.get("TERM") != "dumb"
