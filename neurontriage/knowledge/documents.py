"""YAML files of others, read within bounds: no pipe, no bomb, no depth that a parser could drown in."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

LARGEST = 1 << 20
DEEPEST = 20
LOADER: Any = type("Loader", (getattr(yaml, "CSafeLoader", yaml.SafeLoader),), {})


def _marked(construct: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A scalar's constructor that says where no value can be made of a text: a 30th of February, a million digits."""

    def constructed(loader: Any, node: Any) -> Any:
        try:
            return construct(loader, node)
        except (ValueError, OverflowError) as error:
            raise yaml.MarkedYAMLError(problem=f"no value: {error}", problem_mark=node.start_mark) from error

    return constructed


for _tag in (f"tag:yaml.org,2002:{kind}" for kind in ("int", "float", "timestamp", "bool")):
    LOADER.add_constructor(_tag, _marked(LOADER.yaml_constructors[_tag]))


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


def load(path: Path) -> Any:
    """The data in a YAML file. Raises as `read` does."""
    return yaml.load(read(path), Loader=LOADER)


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
