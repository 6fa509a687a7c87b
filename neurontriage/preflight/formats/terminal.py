"""Preflight → text for a terminal: the verdict, what does not compile and what to write instead, the rest in short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from neurontriage.preflight import wording
from neurontriage.preflight.model import Preflight, Row
from neurontriage.render.drawing import drawn, line, section, workarounds
from neurontriage.render.pages import plural
from neurontriage.render.text import printable

_ROWS = 12
_LISTED = 5
_COLOURS = {"unsupported": "red", "fails-from": "yellow", "loses-precision": "yellow", "falls-back": "yellow"}
Parts = Iterable[RenderableType]


def render(found: Preflight) -> str:
    """The text, with colours only where standard output is a terminal that takes them."""
    return drawn(_parts(found))


def _parts(found: Preflight) -> Parts:
    colour = "red" if found.unsupported else "green"
    yield Text.assemble((wording.percent(found), f"bold {colour}"), "  ", (printable(found.verdict), "bold"))
    yield line(wording.basis(found))
    if found.ended:
        yield section("The script did not end well", f"{found.ended}. What was seen until then is shown.")
    yield from (section("Note", note) for note in found.notes)
    yield from _findings(found)
    yield from _table(found)
    yield from _graphs(found)
    yield section("Memory", wording.memory(found.memory))
    yield from (line(note, 4) for note in found.memory.notes)
    yield from _advice(found)


def _findings(found: Preflight) -> Parts:
    """Everything that is not plainly supported, with what helps; unknown ones only in the table."""
    shown = [row for row in found.rows if row.outcome in _COLOURS]
    explained: set[str] = set()
    for number, row in enumerate(shown, 1):
        code = f" [{row.entry}]" if row.entry else ""
        title = f"{number}. {row.name} on {row.dtype}: {wording.outcome(row)}{code}"
        yield Padding(Text(printable(title), style=f"bold {_COLOURS[row.outcome]}"), (1, 0, 0, 0))
        yield line(_where(row))
        if row.entry and row.entry not in explained:
            explained.add(row.entry)
            yield from workarounds(wording.fixes(row)[:2], whole=False)


def _where(row: Row) -> str:
    places = ", ".join(row.sites[:_LISTED]) or "no line of yours is known"
    more = f" and {len(row.sites) - _LISTED} more" if len(row.sites) > _LISTED else ""
    seen = f"{row.seen}; " if row.seen else ""
    lowered = f", found in the lowering: {row.lowering}" if row.outcome != "falls-back" else ""
    return f"{seen}{plural(row.count, 'use')} at {places}{more}{lowered}"


def _table(found: Preflight) -> Parts:
    if not found.rows:
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("operator", "HLO", "dtype", "outcome", "lowering"):
        table.add_column(name, overflow="fold")
    table.add_column("uses", justify="right")
    for row in found.rows[:_ROWS]:
        outcome = Text(wording.OUTCOMES[row.outcome], style=_COLOURS.get(row.outcome, ""))
        cells = (Text(printable(text)) for text in (row.name, row.opcode, row.dtype))
        table.add_row(*cells, outcome, Text(printable(row.lowering)), f"{row.count:,}")
    yield Padding(table, (1, 0, 0, 2))
    if len(found.rows) > _ROWS:
        yield line(f"… and {plural(len(found.rows) - _ROWS, 'more row')} (--format json or html has all)")


def _graphs(found: Preflight) -> Parts:
    sizes = ", ".join(f"{graph.id} {graph.instructions:,}" for graph in found.graphs[:_LISTED])
    more = f" and {len(found.graphs) - _LISTED} more" if len(found.graphs) > _LISTED else ""
    if found.graphs:
        yield section("Graphs and their instructions", sizes + more)
    for cut, times in list(Counter(found.breaks).items())[:_LISTED]:
        again = f" ({times} times)" if times > 1 else ""
        yield section("Graph break", f"{cut.site or 'unknown place'}{again}: {cut.reason}")
    for one in found.recompilations[:_LISTED]:
        dimension = (
            f"dimension {one.dimension}, {wording.shapes(one.shapes)}" if one.dimension is not None else one.reason
        )
        yield section("Compiled again", f"{wording.function(one)} at {one.site or 'unknown place'}: {dimension}")


def _advice(found: Preflight) -> Parts:
    for one in found.advice:
        code = f" [{one.entry}]" if one.entry else ""
        places = f" ({', '.join(one.sites)})" if one.sites else ""
        yield section(f"{printable(one.title)}{code}", f"{one.detail}{places}")
    if found.accuracy:
        yield section("Against the compiler", wording.accuracy(found.accuracy))
        yield from (line(said, 4) for said in (*found.accuracy.disagree, *found.accuracy.notes))
