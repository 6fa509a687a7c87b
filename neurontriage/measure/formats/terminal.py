"""A measurement as text for a terminal of 80 columns and up: counts first, then times, then what they carry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from neurontriage.measure import wording
from neurontriage.render.drawing import drawn, line, section
from neurontriage.render.text import printable

Parts = Iterable[RenderableType]
_START = (
    ("process_start", "process start"),
    ("import", "import"),
    ("device_initialization", "device"),
    ("first_transfer", "first transfer"),
    ("first_graph", "first graph"),
)


def render(document: Mapping[str, Any]) -> str:
    """The text, with colours only where standard output is a terminal that takes them."""
    return drawn(_parts(document))


def _parts(document: Mapping[str, Any]) -> Parts:
    rows = document["patterns"]
    yield Text(printable(wording.headline(document)), style="bold")
    yield section("Times", f"of {document['environment']['times_of']}")
    yield from (section("Note", note) for note in document["notes"])
    if any(row["counts"] for row in rows):
        yield Padding(_table(rows), (1, 0, 0, 0))
    yield from _failures(rows)
    yield from _start(document)
    yield from _compared(document)
    said = [wording.conclusion(each) for each in document.get("conclusions", ())]
    yield from _list("What these numbers carry:", said)
    yield from _list("Compared:", wording.against(document))
    yield from _list("Shapes:", wording.shapes(document))
    if document["model"]["expected"]:
        yield section("Model", wording.model(document))


def _list(name: str, lines: Iterable[str]) -> Parts:
    for number, one in enumerate(lines):
        if not number:
            yield Padding(Text(name, style="bold"), (1, 0, 0, 2))
        yield line(one, 4)


def _table(rows: Iterable[Mapping[str, Any]]) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold", pad_edge=False)
    table.add_column("graph/pattern", no_wrap=True)
    for name in ("graphs", "ops", "runs", "syncs", "first run", "compile", "cached", "95 %"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        if row["counts"]:
            table.add_row(*_cells(row))
    return table


def _cells(row: Mapping[str, Any]) -> list[str]:
    counts = row["counts"]
    numbers = (counts["compiles"], counts["instructions"], counts["executions"], counts["synchronisations"])
    first, cached = row["first_run"], row["cached_run"]
    times = [
        wording.seconds(first["median"] if first else None),
        wording.share(row["dominance"]["compile_share"] if "dominance" in row else None),
        wording.seconds(cached["median"] if cached else None),
        wording.interval(cached, unit=False),
    ]
    return [_name(row), *("-" if n is None else str(n) for n in numbers), *times]


def _name(row: Mapping[str, Any]) -> str:
    return printable(f"{row['graph']}/{row['pattern']}")


def _failures(rows: Iterable[Mapping[str, Any]]) -> Parts:
    for row in rows:
        if row["error"]:
            finding = f" [{row['finding']}]" if row.get("finding") else ""
            yield section(f"Failed {_name(row)}", f"{row['error']}{finding}")
        for what, times in row["faults"].items():
            yield section(f"Left out {_name(row)}", f"{wording.plural(times, 'run')}: {what}")


def _start(document: Mapping[str, Any]) -> Parts:
    if not document["processes"]:
        return
    first = document["processes"][0]
    said = [f"{name} {wording.seconds(first[key])}" for key, name in _START if first[key] is not None]
    if said:
        yield section("Start of the first process", ", ".join(said))
    if baseline := document["sync_baseline"]:
        bounds = wording.interval(baseline)
        yield section("Empty synchronisation", f"{wording.seconds(baseline['median'])} ({bounds})")


def _compared(document: Mapping[str, Any]) -> Parts:
    said = (f"{graph['graph']}: {'; '.join(wording.compared(graph))}" for graph in document["comparisons"])
    yield from _list("Cached runs compared (95 % intervals that overlap tell nothing):", said)
