"""What a project has settled for itself: `[tool.neurontriage]` of pyproject.toml, or neurontriage.toml, found upwards.

[tool.neurontriage]
knowledge = ["ops/neuron"]      # folders with entries of your own, relative to this file
fail-on = "warning"             # error, warning, unknown or never
ignore = ["XLA-MarkStepDeprecated"]
language = "ja"
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from neurontriage.errors import TriageError, unknown

FAIL_ON = ("error", "warning", "unknown", "never")
LANGUAGES = ("en", "ja", "ko")
_KEYS = ("knowledge", "fail-on", "ignore", "language")
_NAMES = ("neurontriage.toml", "pyproject.toml")


class Config(NamedTuple):
    """The settings; `path` is the file they come from, None where there is none."""

    path: Path | None = None
    knowledge: tuple[Path, ...] = ()
    fail_on: str = "error"
    ignore: tuple[str, ...] = ()
    language: str | None = None


def load(folder: Path | None = None) -> Config:
    """The nearest settings in this folder (the current one) or above it.

    Raises TriageError that names the file where they are not as they should be.
    """
    try:
        start = (folder or Path.cwd()).absolute()
    except FileNotFoundError:  # the current folder is removed
        return Config()
    for place in (start, *start.parents):
        for name in _NAMES:
            if (found := _read(place / name)) is not None:
                return found
    return Config()


def _read(path: Path) -> Config | None:
    try:
        raw = path.read_bytes()
    except OSError:
        return None
    if path.name == "pyproject.toml" and b"tool.neurontriage" not in raw:
        return None
    table = _parsed(path, raw)
    if path.name == "pyproject.toml":
        table = table.get("tool", {}).get("neurontriage")
    return None if table is None else _checked(path, table)


def _parsed(path: Path, raw: bytes) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _faulty(path, str(error)) from error


def _checked(path: Path, table: dict[str, Any]) -> Config:
    for key in table:
        if key not in _KEYS:
            raise unknown(f"{path}: key", key, _KEYS)
    for key, known in (("fail-on", FAIL_ON), ("language", LANGUAGES)):
        if key in table and table[key] not in known:
            raise unknown(f"{path}: {key}", str(table[key]), known)
    folders = tuple(path.parent / one for one in _texts(path, table, "knowledge"))
    ignored = tuple(_texts(path, table, "ignore"))
    return Config(path, folders, table.get("fail-on", "error"), ignored, table.get("language"))


def _texts(path: Path, table: dict[str, Any], key: str) -> Iterator[str]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise _faulty(path, f"{key} is no list of texts")
    yield from value


def _faulty(path: Path, what: str) -> TriageError:
    return TriageError("faulty-configuration", f"{path}: {what}", f"a table of {', '.join(_KEYS)}", "see README.md")
