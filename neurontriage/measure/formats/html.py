"""A measurement as one self-contained HTML page: first against cached runs, a matrix of counts, what can be told."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from neurontriage.measure import wording
from neurontriage.render.pages import page, plural

_WIDTH, _DOT, _LINE = 1000.0, 8.0, 3.0
_PARTS = {
    "process_start": "process start",
    "import": "import",
    "device_initialization": "device initialisation",
    "first_transfer": "first transfer",
    "first_graph": "first graph",
    "building": "models to the device",
    "baseline": "empty synchronisations",
    "inspection": "reading the graphs",
    "runs": "runs of the patterns",
}


def render(document: Mapping[str, Any]) -> str:
    """The page; it needs neither network nor scripts to be read."""
    rows = [row for row in document["patterns"] if row["cached_run"]]
    scale = _Scale(_values(rows))
    return page(
        "measure.html",
        document=document,
        headline=wording.headline(document),
        tone=_tone(document),
        graphs=list(_graphs(document, rows, scale)),
        ticks=scale.ticks(),
        axis=(wording.seconds(scale.low), wording.seconds(scale.high)),
        matrix=_matrix(document),
        failures=[row for row in document["patterns"] if row["error"]],
        conclusions=[(each["verdict"], f"{each['claim']}: {each['why']}") for each in document.get("conclusions", ())],
        against=list(wording.against(document)),
        shapes=list(wording.shapes(document)),
        parts=_parts(document),
        words=wording,
        plural=plural,
    )


def _tone(document: Mapping[str, Any]) -> str:
    return "ok" if all(row["status"] == "measured" for row in document["patterns"]) else "warn"


def _values(rows: Iterable[Mapping[str, Any]]) -> Iterator[float]:
    for row in rows:
        for summary in (row["first_run"], row["cached_run"]):
            if summary:
                yield from (value for value in (summary["low"], summary["median"], summary["high"]) if value)


class _Scale:
    """Seconds → 0 to 1000 on a logarithmic axis that holds all values."""

    def __init__(self, values: Iterable[float]) -> None:
        found = [value for value in values if value > 0] or [0.001, 1.0]
        self.low, self.high = min(found) / 1.2, max(found) * 1.2

    def at(self, value: float) -> float:
        """The place of a value."""
        span = math.log(self.high / self.low)
        return min(_WIDTH, max(0.0, math.log(max(value, self.low) / self.low) / span * _WIDTH))

    def ticks(self) -> list[float]:
        """The places of 1 µs, 10 µs, 100 µs, … as far as they lie on the axis."""
        decades = range(math.ceil(math.log10(self.low)), math.floor(math.log10(self.high)) + 1)
        return [self.at(10.0**decade) for decade in decades]


def _graphs(document: Mapping[str, Any], rows: list[Any], scale: _Scale) -> Iterator[dict[str, Any]]:
    """Per graph its patterns as marks on the axis, and the sentences about them."""
    said = {graph["graph"]: graph for graph in document["comparisons"]}
    for name, group in itertools.groupby(rows, key=lambda row: row["graph"]):
        found = said.get(name)
        yield {
            "name": name,
            "rows": [_row(row, scale) for row in group],
            "said": "; ".join(wording.compared(found)) if found else "",
            "pairs": [wording.pair(each) for each in found["pairs"]] if found else [],
        }


def _row(row: Mapping[str, Any], scale: _Scale) -> dict[str, Any]:
    marks = [
        *_marks(row["first_run"], "warn", scale),
        *_marks(row["cached_run"], "ok", scale),
    ]
    outliers = [scale.at(value) for value in row["cached_run"]["outliers"]]
    words = f"{wording.with_interval(row['cached_run'])}; first {wording.with_interval(row['first_run'])}"
    return {"pattern": row["pattern"], "marks": marks, "outliers": outliers, "words": words}


def _marks(summary: Mapping[str, Any] | None, tone: str, scale: _Scale) -> list[tuple[str, float, float, float, float]]:
    """(class, x, y, width, height) of the interval and of the median."""
    if summary is None:
        return []
    at = scale.at(summary["median"])
    low, high = (scale.at(summary[end]) if summary[end] is not None else at for end in ("low", "high"))
    line = (tone, low, 5.0 - _LINE / 2, max(high - low, 1.0), _LINE)
    return [line, (tone, at - _DOT / 2, 1.0, _DOT, 8.0)]


def _matrix(document: Mapping[str, Any]) -> dict[str, Any]:
    """Graphs down, patterns across: the counts that carry over to Neuron."""
    patterns = list(dict.fromkeys(row["pattern"] for row in document["patterns"]))
    rows: dict[str, dict[str, Any]] = {}
    for row in document["patterns"]:
        rows.setdefault(row["graph"], {})[row["pattern"]] = row
    return {"patterns": patterns, "rows": rows}


def _parts(document: Mapping[str, Any]) -> list[tuple[str, str, float]]:
    """Name, words and share of each part of the whole measurement."""
    found = document["model"]["parts"]
    total = sum(found.values()) or 1.0
    return [(_PARTS[name], wording.seconds(value), value / total) for name, value in found.items() if value]
