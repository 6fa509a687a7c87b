"""Analysis → text for a terminal of 80 columns and up: the verdict, the reasons with what helps, the operators."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from neurontriage.analysis import wording
from neurontriage.analysis.model import Analysis, Comparison, Operator, Place, Reason
from neurontriage.analysis.runlog import log_findings, log_sentence
from neurontriage.model import Link, Workaround
from neurontriage.render.drawing import drawn, line, links, section, workarounds
from neurontriage.render.pages import plural
from neurontriage.render.text import printable

_BAR = 40
_OPERATORS = 15
_PLACES = 5
_COLOURS = {"supported": "green", "partly": "yellow", "unsupported": "red", "unknown": "yellow"}
Parts = Iterable[RenderableType]


def render(analysis: Analysis) -> str:
    """The text, with colours and hyperlinks only where standard output is a terminal that takes them."""
    return drawn(_parts(analysis))


def _parts(analysis: Analysis) -> Parts:
    yield from _head(analysis)
    if analysis.log_failed:
        yield from _log(analysis)
    yield from (section("Note", note) for note in analysis.notes)
    if analysis.comparison:
        yield from _compared(analysis.comparison, analysis)
    for number, reason in enumerate(analysis.reasons, 1):
        yield from _reason(number, reason, analysis)
    if analysis.operators:
        yield Padding(_table(analysis.operators, wording.instructions(analysis)), (1, 0, 0, 2))
        yield from _more(len(analysis.operators) - _OPERATORS, "operator", " (--html or --format json has all)")
    if not analysis.log_failed:
        yield from _log(analysis)
    yield from _versions(analysis)


def _head(analysis: Analysis) -> Parts:
    value, colour = analysis.share.best, "red" if analysis.log_failed else _COLOURS[analysis.verdict]
    filled = min(int((value or 0) / 100 * _BAR), _BAR)
    bar = "" if value is None else f"  {'█' * filled}{'░' * (_BAR - filled)}"
    yield Text.assemble((wording.percent(value), f"bold {colour}"), (bar, colour))
    yield Text(printable(wording.headline(analysis)), style="bold")
    yield Padding(Text(printable(wording.share(analysis)), overflow="fold"), (1, 0, 0, 2))


def _compared(found: Comparison, analysis: Analysis) -> Parts:
    change = f"{wording.percent(found.before.best)} → {wording.percent(analysis.share.best)}"
    yield section(f"Compared with {printable(found.path)}", change)
    yield from (line(said, 4) for said in wording.compared(found))
    for word, items, colour in (("worse ", found.worse, "red"), ("better", found.better, "green")):
        yield from (line(f"{word}  {item.kind}: {wording.change(item, found.coarse)}", 4, colour) for item in items)
    yield from (line(f"{package}: {was} → {now}", 4) for package, was, now in found.versions)


def _reason(number: int, reason: Reason, analysis: Analysis) -> Parts:
    code = f" [{reason.id}]" if reason.entry else ""
    yield Padding(Text(f"{number}. {printable(reason.title)}{code}", style="bold"), (1, 0, 0, 0))
    yield line(reason.cause)
    if reason.seen:
        yield section("Seen here", f"{'; '.join(reason.seen[:6])}, read from {wording.basis(reason)}.")
    yield from _uses(reason)
    yield from (line(sentence) for sentence in wording.both(analysis, reason)[:1])
    if reason.since:
        yield section("Newer compilers", wording.since(reason.since))
    if reason.entry:
        yield Padding(Text("What helps:", style="bold"), (1, 0, 0, 2))
        yield from workarounds((Workaround(**item.model_dump()) for item in reason.entry.workarounds), whole=False)
        yield from links(Link(**item.model_dump()) for item in reason.entry.links)
        if reason.entry.repro:
            yield section("Try it", f"neurontriage repro {reason.entry.repro}")


def _uses(reason: Reason) -> Parts:
    for place in reason.places[:_PLACES]:
        stage = f", fails at {place.stage}" if place.stage else ""
        yield line(f"at {_where(place)}: {place.kind}{stage}")
    yield from _more(reason.place_count - _PLACES, "call site")
    yield from (line(f"refused: {hlo.text}", style="red") for hlo in reason.hlo[:_PLACES])
    yield from _more(reason.hlo_count - _PLACES, "instruction")


def _where(place: Place) -> str:
    frame = place.site.frame
    if frame:
        return f"{frame.file}:{frame.line}"
    return " ".join(place.site.text.split()) or "an unknown place"


def _more(number: int, noun: str, how: str = "") -> Parts:
    if number > 0:
        yield line(f"… and {plural(number, 'more ' + noun)}{how}")


def _table(operators: tuple[Operator, ...], lowered: bool) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("operator", "support"):
        table.add_column(name, overflow="fold")
    for name in ("uses compiled", "refused", *(["HLO refused"] * lowered)):
        table.add_column(name, justify="right")
    for o in operators[:_OPERATORS]:
        support = Text(o.support, style=_COLOURS[o.support])
        numbers = [o.supported, o.refused_uses, *([o.lowered] * lowered)]
        table.add_row(Text(printable(o.kind)), support, *(f"{number:,}" for number in numbers))
    return table


def _log(analysis: Analysis) -> Parts:
    if analysis.log:
        yield section("Compile log", log_sentence(analysis))
    for said in log_findings(analysis):
        about = f": names {', '.join(said.operators)}" if said.operators else ""
        yield line(f"[{said.finding.id}] {said.finding.title}{about}", 4)
        if said.finding.role == "root":
            yield from workarounds(said.finding.workarounds, whole=False)


def _versions(analysis: Analysis) -> Parts:
    versions = (f"{v.package} {v.version}" + (f" (SDK {v.sdk})" if v.sdk else "") for v in analysis.versions)
    yield section("Versions", ", ".join(versions) or "the report names none")
    if wording.not_shown(analysis):
        yield section("Not in here", wording.not_shown(analysis))
    yield from (section("End of support", note) for note in wording.ended(analysis))
