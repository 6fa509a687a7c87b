"""Finds the data folders, in a checkout (top level) and in an installed wheel (inside the package) alike."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from neurontriage import config
from neurontriage.errors import TriageError

PACKAGE = Path(__file__).parent


def _folder(name: str) -> Path:
    inside, beside = PACKAGE / "data" / name, PACKAGE.parent / name
    return inside if inside.is_dir() else beside


def grammars() -> Path:
    """The folder that holds one `<family>.lark` per log family."""
    return _folder("grammars")


def knowledge() -> Path:
    """The folder that holds `<layer>/<entry id>.yaml`."""
    return _folder("knowledge")


def demo() -> Path:
    """A log of a failed compilation, composed for showing."""
    inside = PACKAGE / "data" / "demo.log"
    return inside if inside.is_file() else PACKAGE.parent / "samples" / "compiler-internal" / "ten404-loop.log"


def compiled() -> Path:
    """The compiled form of both, which an installed wheel has."""
    return PACKAGE / "data" / "compiled.catalog"


def own_knowledge(given: Sequence[Path]) -> list[Path]:
    """Folders with entries of the user's own: of `$NEURONTRIAGE_KNOWLEDGE` (`:` between), the settings, then the given.

    Raises TriageError where the settings are faulty.
    """
    named = os.environ.get("NEURONTRIAGE_KNOWLEDGE", "")
    return [*(Path(one) for one in named.split(os.pathsep) if one), *config.load().knowledge, *given]


def check(folders: Iterable[Path]) -> None:
    """Raises TriageError for what is no folder that could hold entries."""
    for folder in folders:
        if not folder.is_dir():
            what = "a file, not a folder" if folder.exists() else "no such folder"
            raise TriageError("no-knowledge", f"{folder}: {what}", "a folder with <layer>/<id>.yaml files")


def cache() -> Path:
    """The folder for compiled forms: `$NEURONTRIAGE_CACHE`, else below `$XDG_CACHE_HOME` or `~/.cache`.

    It need not exist nor be writable; whoever writes there must go on without it.
    """
    own = os.environ.get("NEURONTRIAGE_CACHE")
    if own:
        return Path(own)
    home = os.path.expanduser("~")
    if home == "~":  # neither $HOME nor an entry in passwd
        home = os.devnull
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")) / "neurontriage"
