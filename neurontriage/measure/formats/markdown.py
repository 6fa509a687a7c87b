"""A measurement as Markdown, for an issue or a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from neurontriage.measure import wording
from neurontriage.render.markdown import plain

_COLUMNS = (
    "graph",
    "pattern",
    "graphs",
    "HLO instructions",
    "executions",
    "synchronisations",
    "first run",
    "cached run",
)


def render(document: Mapping[str, Any]) -> str:
    """Counts and times in one table; what was compared below."""
    return "\n".join(_lines(document)) + "\n"


def _lines(document: Mapping[str, Any]) -> Iterable[str]:
    yield f"## {plain(wording.headline(document))}"
    yield ""
    yield f"Times of {plain(document['environment']['times_of'])}."
    for section in (_notes(document), _table(document), _said(document)):
        lines = list(section)
        if lines:
            yield ""
            yield from lines
    yield ""
    yield f"Model: {plain(wording.model(document))}"


def _notes(document: Mapping[str, Any]) -> Iterable[str]:
    yield from (f"- {plain(note)}" for note in document["notes"])


def _table(document: Mapping[str, Any]) -> Iterable[str]:
    yield "| " + " | ".join(_COLUMNS) + " |"
    yield "|---|---|" + "---:|" * (len(_COLUMNS) - 2)
    for row in document["patterns"]:
        yield "| " + " | ".join(plain(cell) for cell in _cells(row)) + " |"


def _cells(row: Mapping[str, Any]) -> list[str]:
    counts = row["counts"] or {}
    numbers = [counts.get(name) for name in ("graphs", "instructions", "executions", "synchronisations")]
    times = [wording.with_interval(row["first_run"]), wording.with_interval(row["cached_run"])]
    return [row["graph"], row["pattern"], *("-" if n is None else f"{n:,}" for n in numbers), *times]


def _said(document: Mapping[str, Any]) -> Iterable[str]:
    for graph in document["comparisons"]:
        yield f"- {plain(graph['graph'])}: {plain('; '.join(wording.compared(graph)))}"
    for conclusion in document.get("conclusions", ()):
        yield f"- {plain(wording.conclusion(conclusion))}"
    yield from (f"- {plain(line)}" for line in wording.against(document))
    yield from (f"- {plain(line)}" for line in wording.shapes(document))
