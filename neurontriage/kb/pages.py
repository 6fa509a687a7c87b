"""Entries → the catalogue: one static HTML page for each, and an index that is searched without a network."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from neurontriage.errors import TriageError
from neurontriage.kb.show import versions
from neurontriage.knowledge.commands import without_log
from neurontriage.knowledge.schema import Entry
from neurontriage.render.pages import page


def pages(entries: Mapping[str, Entry]) -> dict[str, str]:
    """File name → HTML, for all entries and the index."""
    causes: dict[str, list[str]] = {}
    for entry in entries.values():
        for effect in entry.explains:
            causes.setdefault(effect, []).append(entry.id)
    found = {"index.html": page("catalogue.html", entries=list(entries.values()))}
    for entry in entries.values():
        found[f"{entry.id}.html"] = page(
            "entry.html",
            e=without_log(entry),
            versions=versions(entry),
            known=set(entries),
            explained_by=sorted(causes.get(entry.id, [])),
        )
    return found


def write(folder: Path, entries: Mapping[str, Entry]) -> int:
    """Write all pages into a folder and say how many. Raises TriageError when it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        made = pages(entries)
        for name, text in made.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        hint = "name another folder"
        raise TriageError("unwritable-output", f"{folder}: {error.strerror}", "a folder to write to", hint) from error
    return len(made)
