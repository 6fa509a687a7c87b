"""knowledge/<layer>/<id>.yaml → Entry.  Every fault of every file is found in one run, as file:line:column."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml
from pydantic import ValidationError

from neurontriage.errors import TriageError
from neurontriage.knowledge import documents, statuses
from neurontriage.knowledge.documents import LOADER
from neurontriage.knowledge.endings import with_ending
from neurontriage.knowledge.schema import Entry, WorkaroundText
from neurontriage.knowledge.snippets import filled
from neurontriage.knowledge.versions import Releases

_MOST_FAULTS = 100
"""Of what does not fit the schema in one file; to say where each stands takes as long as the file is."""
NOT_ENTRIES = frozenset({"versions.yaml", "ignore.yaml", "operators.yaml"})


@dataclass(frozen=True, order=True)
class Fault:
    """Something wrong in a knowledge file; `line` and `column` are 1-based."""

    path: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.message}"


@dataclass(frozen=True)
class Loaded:
    """What a folder holds: the sound entries by id, and the faults of the others."""

    entries: dict[str, Entry]
    paths: dict[str, Path]
    faults: tuple[Fault, ...]


def files(folder: Path) -> list[Path]:
    """All entry files below a folder, sorted, so that nothing depends on the file system's order."""
    return sorted(p for p in folder.rglob("*.yaml") if p.name not in NOT_ENTRIES)


def load(folders: Sequence[Path]) -> Loaded:
    """Read all entries; a later folder overrides an earlier one by id, within a folder an id is unique."""
    entries: dict[str, Entry] = {}
    paths: dict[str, Path] = {}
    faults: list[Fault] = []
    for folder in folders:
        for path in files(folder):
            entry, wrong = read_entry(path)
            faults += wrong
            if entry is None:
                continue
            if entry.id in paths and paths[entry.id].is_relative_to(folder):
                faults.append(Fault(str(path), 1, 1, f"id {entry.id} is also in {paths[entry.id]}"))
            entries[entry.id], paths[entry.id] = entry, path
    table = Releases(releases(folders))
    ordered = {key: with_ending(_with_statuses(_with_commands(entries[key], table))) for key in sorted(entries)}
    return Loaded(ordered, paths, tuple(sorted(faults)))


def _with_commands(entry: Entry, table: Releases) -> Entry:
    """The entry with the commands that its snippets stand for, those of the newest releases."""
    if not any(one.snippet for one in entry.workarounds):
        return entry
    given = [filled(one.model_dump(), {}, table) for one in entry.workarounds]
    return entry.model_copy(update={"workarounds": tuple(map(WorkaroundText.model_validate, given))})


def _with_statuses(entry: Entry) -> Entry:
    """The entry with the ways in which its statuses are printed."""
    more = statuses.matches(entry.nrt)
    return entry.model_copy(update={"match": (*entry.match, *more)}) if more else entry


def releases(folders: Sequence[Path]) -> dict[str, Any]:
    """The table of releases: that of the last folder which has one."""
    tables = [folder / "versions.yaml" for folder in folders if (folder / "versions.yaml").is_file()]
    if not tables:
        return {}
    try:
        return cast(dict[str, Any], documents.load(tables[-1]))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        hint = "see knowledge/versions.yaml of neurontriage"
        raise TriageError("faulty-knowledge", f"{tables[-1]}: {error}", "a table of releases", hint) from error


def read_entry(path: Path) -> tuple[Entry | None, list[Fault]]:
    """One file → its entry, or None and every fault in it."""
    try:
        text = documents.read(path)
        root, data = _composed(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        return None, [Fault(str(path), line, column, f"not YAML: {error.problem}")]
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        return None, [Fault(str(path), 1, 1, f"cannot be read: {error}")]
    faults = [Fault(str(path), *place, message) for place, message in _duplicates(root)]
    try:
        entry = Entry.model_validate(data)
    except ValidationError as error:
        wrong, left = error.errors()[:_MOST_FAULTS], error.error_count() - _MOST_FAULTS
        faults += [_fault(path, root, detail) for detail in wrong]
        return None, faults + [Fault(str(path), 1, 1, f"{left} more faults like these")] * (left > 0)
    if path.stem != entry.id:
        faults.append(Fault(str(path), 1, 1, f"the file name must be the id: {entry.id}.yaml"))
    if path.parent.name != entry.layer:
        faults.append(Fault(str(path), 1, 1, f"the folder must be the layer: {entry.layer}/"))
    return entry, faults


def _composed(text: str) -> tuple[Any, Any]:
    """The nodes of a YAML text, which know their places, and the data made of them, in one pass."""
    loader = LOADER(text)
    try:
        root = loader.get_single_node()
        return root, loader.construct_document(root) if root is not None else None
    finally:
        loader.dispose()


def _duplicates(node: Any) -> Iterator[tuple[tuple[int, int], str]]:
    """Keys that stand twice in one mapping: YAML would silently keep the last."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                place = (key.start_mark.line + 1, key.start_mark.column + 1)
                yield place, f"key {key.value!r} stands twice"
            seen.add(key.value)
            yield from _duplicates(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _duplicates(item)


def _fault(path: Path, root: Any, detail: Any) -> Fault:
    location = detail["loc"]
    line, column = _place(root, location)
    message = detail["msg"].removeprefix("Value error, ")
    where = ".".join(map(str, location)) or "entry"
    if detail["type"] == "extra_forbidden":
        message = f"unknown key{_likely(location)}"
    return Fault(str(path), line, column, f"{where}: {message}")


def _place(node: Any, location: tuple[int | str, ...]) -> tuple[int, int]:
    """Line and column (1-based) of the deepest node on the way that the document really has."""
    mark = node.start_mark if node is not None else None
    for step in location:
        if isinstance(node, yaml.MappingNode):
            pair = next(((k, v) for k, v in node.value if k.value == step), None)
            if pair is None:
                break
            mark, node = pair[0].start_mark, pair[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            mark = node.start_mark
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


def _likely(location: tuple[int | str, ...]) -> str:
    """' (did you mean …?)' with the nearest key of the schema, for a typo."""
    model: Any = Entry
    for step in location[:-1]:
        if isinstance(step, str) and step in model.model_fields:
            inner = list(_models(model.model_fields[step].annotation))
            model = inner[0] if inner else model
    near = difflib.get_close_matches(str(location[-1]), list(model.model_fields), 1)
    return f" (did you mean {near[0]!r}?)" if near else f"; known keys: {', '.join(model.model_fields)}"


def _models(annotation: Any) -> Iterator[Any]:
    if hasattr(annotation, "model_fields"):
        yield annotation
    for argument in getattr(annotation, "__args__", ()):
        yield from _models(argument)
