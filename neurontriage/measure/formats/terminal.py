"""A measurement as text for a terminal of 80 columns and up: counts first, then times, then what they carry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from neurontriage.measure import wording
from neurontriage.render.drawing import drawn, section
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
    yield Text(_headline(document), style="bold")
    yield section("Times", f"of {document['environment']['times_of']}")
    yield from (section("Note", note) for note in document["notes"])
    if any(row["counts"] for row in rows):
        yield Padding(_table(rows), (1, 0, 0, 0))
    yield from _failures(rows)
    yield from _start(document)
    yield from _compared(document)
    yield section("Model", wording.model(document))


def _headline(document: Mapping[str, Any]) -> str:
    configuration = document["configuration"]
    measured = sum(row["status"] == "measured" for row in document["patterns"])
    return (
        f"{measured} of {len(document['patterns'])} combinations measured on {configuration['backend']} in "
        f"{wording.seconds(document['seconds'])}: {configuration['processes']} processes, "
        f"{configuration['measurement_trials']} trials in each"
    )


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
    name = printable(f"{row['graph']}/{row['pattern']}")
    return [name, *("-" if n is None else str(n) for n in numbers), *times]


def _failures(rows: Iterable[Mapping[str, Any]]) -> Parts:
    for row in rows:
        if row["error"]:
            finding = f" [{row['finding']}]" if row.get("finding") else ""
            yield section(f"Failed {row['graph']}/{row['pattern']}", f"{row['error']}{finding}")
        for what, times in row["faults"].items():
            yield section(f"Left out {row['graph']}/{row['pattern']}", f"{times} runs: {what}")


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
    if not document["comparisons"]:
        return
    yield Padding(Text("Cached runs compared (95 % intervals that overlap tell nothing):", style="bold"), (1, 0, 0, 2))
    for graph in document["comparisons"]:
        sentence = "; ".join(wording.compared(graph))
        yield Padding(Text(printable(f"{graph['graph']}: {sentence}")), (0, 0, 0, 4))
