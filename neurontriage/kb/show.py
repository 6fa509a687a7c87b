"""One entry → its whole article for the terminal, without a log."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from neurontriage.knowledge.commands import without_log
from neurontriage.knowledge.schema import Entry, Range
from neurontriage.model import Check, Link, Outcome, Workaround
from neurontriage.render.drawing import drawn, links, look, section, workarounds


def article(entry: Entry) -> str:
    """The text of everything that an entry says."""
    return drawn(_parts(without_log(entry)))


def _parts(entry: Entry) -> Iterable[RenderableType]:
    yield Text(entry.heading, style="bold")
    names = f", also {', '.join(entry.aliases)}" if entry.aliases else ""
    yield Text(f"{entry.id}{names}")
    yield Text(f"{entry.layer}, {entry.severity}, {entry.role}, {entry.status}", style="dim")
    yield section("Why", entry.cause)
    for name, text in (("Concerns", entry.blast_radius), ("Not proven", entry.not_proof)):
        if text:
            yield section(name, text)
    if said := versions(entry):
        yield section("Versions", "; ".join(said))
    if entry.explains:
        yield section("Brings about", ", ".join(entry.explains))
    yield from look(_check(entry))
    if entry.workarounds:
        yield Padding(Text("What to change", style="bold"), (1, 0, 0, 2))
        yield from workarounds([Workaround(**one.model_dump()) for one in entry.workarounds], whole=True)
    for name, text in (("Done when", entry.done_when), ("If nothing helps", entry.escalate)):
        if text:
            yield section(name, text)
    yield Padding(Text("Discussed", style="bold"), (1, 0, 0, 2))
    yield from links(Link(**one.model_dump()) for one in entry.links)
    yield Padding(Text("Seen as", style="bold"), (1, 0, 0, 2))
    yield from (Padding(Text(example, overflow="fold"), (0, 0, 0, 4)) for example in entry.examples)
    if entry.repro:
        yield section("Try it", f"neurontriage repro {entry.repro}")


def _check(entry: Entry) -> Check | None:
    if entry.check is None:
        return None
    outcomes = tuple(Outcome(**one.model_dump()) for one in entry.check.outcomes)
    return Check(entry.check.look, entry.check.command, outcomes)


def versions(entry: Entry) -> list[str]:
    """The affected ranges and the fixes of an entry, in words."""
    ranges = [_range(one) for one in entry.affected]
    return ranges + [f"fixed in {name} {version}" for name, version in entry.fixed_in.items()]


def _range(one: Range) -> str:
    words = {"introduced": "from", "fixed": "up to, not including", "last_affected": "up to"}
    said = [
        f"{words[name]} {version}"
        for bound in one.events
        for name, version in bound.model_dump(exclude_none=True).items()
        if version != "0"
    ]
    return f"{one.package} {', '.join(said) or 'all versions'}"
