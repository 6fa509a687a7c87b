"""YAML files of others, read within bounds: no pipe, no bomb, no depth that a parser could drown in."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import yaml

LARGEST = 1 << 20
DEEPEST = 20
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read(path: Path) -> str:
    """The text of a YAML file. Raises OSError or UnicodeDecodeError, and yaml.YAMLError for what is out of bounds."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise yaml.YAMLError("not a regular file")
    if status.st_size > LARGEST:
        raise yaml.YAMLError(f"larger than {LARGEST >> 20} MiB")
    text = path.read_text(encoding="utf-8")
    check(text)
    return text


def check(text: str) -> None:
    """Raise yaml.MarkedYAMLError where a text uses aliases (which can multiply) or nests deeper than DEEPEST levels."""
    depth = 0
    for event in yaml.parse(text, Loader=LOADER):
        place: Any = event.start_mark
        if isinstance(event, yaml.AliasEvent):
            raise yaml.MarkedYAMLError(problem="aliases (*name) are not allowed", problem_mark=place)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST:
            raise yaml.MarkedYAMLError(problem=f"deeper than {DEEPEST} levels", problem_mark=place)
