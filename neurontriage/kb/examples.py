"""Every example against every entry: each must be won by its own entry, each near miss must not match it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from neurontriage import resources
from neurontriage.claims.events import Reader
from neurontriage.claims.match import Match, matches
from neurontriage.claims.record import Joiner
from neurontriage.claims.sense import Senses
from neurontriage.knowledge import catalog as catalogs
from neurontriage.knowledge import load as knowledge
from neurontriage.knowledge.catalog import Catalog
from neurontriage.knowledge.schema import Entry
from neurontriage.lines.cut import Cutter
from neurontriage.lines.flood import Repeats
from neurontriage.lines.prefix import strip
from neurontriage.model import Event, Line
from neurontriage.ranking.answers.reasons import Reason, reasons, told


@dataclass(frozen=True, order=True)
class Fault:
    """An example that does not do what its entry promises."""

    entry: str
    message: str
    text: str

    def __str__(self) -> str:
        return f"{self.entry}: {self.message}: {self.text[:160]!r}"


def faults(extra: Sequence[Path] = ()) -> list[Fault]:
    """All faults of the shipped knowledge and of extra folders, in order."""
    loaded = knowledge.load([resources.knowledge(), *extra])
    catalog = catalogs.load(extra)
    return sorted(fault for entry in loaded.entries.values() for fault in entry_faults(entry, catalog))


def entry_faults(entry: Entry, catalog: Catalog) -> Iterator[Fault]:
    """What is wrong with the examples and near misses of one entry."""
    if entry.reason:
        yield from _reason(entry, catalog)
        return
    for example in entry.examples:
        yield from _example(entry, example, catalog)
    for text in entry.near_misses:
        if any(one.entry == entry.id for line in fitting(text, catalog) for one in line):
            yield Fault(entry.id, "a near miss matches", text)


def _reason(entry: Entry, catalog: Catalog) -> Iterator[Fault]:
    """What is wrong with the examples and near misses of an entry for a stated reason."""
    for example in entry.examples:
        best = max((one for line in _stated(example, catalog) for one in line), default=None, key=told)
        if best is None or best.entry != entry.id:
            yield Fault(entry.id, f"an example states the reason of {best.entry if best else 'nothing'}", example)
    for text in entry.near_misses:
        if any(one.entry == entry.id for line in _stated(text, catalog) for one in line):
            yield Fault(entry.id, "a near miss matches", text)


def _stated(text: str, catalog: Catalog) -> Iterator[list[Reason]]:
    """For each record of a text the reasons that it states."""
    for event in _events(text, catalog):
        yield list(reasons(strip(event.evidence.text).payload, event.family, catalog))


def _example(entry: Entry, example: str, catalog: Catalog) -> Iterator[Fault]:
    lines = [
        [one for one in line if one.entry == entry.id or not catalog.briefs[one.entry or ""]["seen"]]
        for line in fitting(example, catalog)
    ]
    winners = {winner.entry for line in lines if (winner := _winner(line))}
    if entry.id not in winners:
        others = ", ".join(sorted(str(one) for one in winners)) or "nothing"
        yield Fault(entry.id, f"an example is won by {others}", example)
    for line in lines:
        equal = [one for one in line if one.entry != entry.id and _ties(one, line)]
        for other in equal:
            if any(one.entry == entry.id for one in line):
                yield Fault(entry.id, f"{other.entry} claims the same line with the same weight", example)


def _winner(line: list[Match]) -> Match | None:
    return min(line, key=lambda one: ([-w for w in one.weight], one.entry or ""), default=None)


def _ties(other: Match, line: list[Match]) -> bool:
    best = max(one.weight for one in line)
    return other.weight == best and any(one.weight == best for one in line if one is not other)


def fitting(text: str, catalog: Catalog) -> list[list[Match]]:
    """For each record of a text that some entry fits: all entries that fit it."""
    found = [list(matches(event, catalog)) for event in _events(text, catalog)]
    return [fits for fits in found if fits]


def _events(text: str, catalog: Catalog) -> Iterator[Event]:
    cutter = Cutter("<example>", catalog.finder, catalog.patterns, Repeats(catalog.sorts))
    lines: Iterator[Line] = cutter.cut([text.encode()])
    return Joiner(catalog.record).join(Reader(Senses(catalog)).read(lines))
