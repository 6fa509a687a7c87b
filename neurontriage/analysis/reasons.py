"""Refused operators → reasons: what stops them, grouped by knowledge entry, the one that stops most first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from neurontriage.analysis.model import Hlo, Operator, Place, Reason, Since
from neurontriage.knowledge.schema import Entry
from neurontriage.operators.limits import Match
from neurontriage.ranking.answers.findings import filled

EntryOf = Callable[[str], Entry | None]
LOWERING = "Lowering to HLO"
NO_LOWERING, UNDECIDED, UNEXPLAINED = "no-lowering", "undecided", "unexplained"

_OPEN = {
    NO_LOWERING: (
        "No lowering to HLO",
        "torch-xla could not turn these operators into HLO, so the compiler never saw them. Rewrite them "
        "with operators that have a lowering, or keep that part of the model on the CPU.",
    ),
    UNDECIDED: (
        "The report does not say why",
        "It names the operators but neither their HLO instructions nor their element types, and a name "
        "alone does not decide. Run analyze again with `--analyze-verbosity 1`: the report then lists the "
        "refused instructions.",
    ),
    UNEXPLAINED: (
        "No entry explains it",
        "The instructions match no documented limit. Compile one of them alone with neuronx-cc and read its "
        "message with `neurontriage explain`.",
    ),
}


@dataclass(frozen=True, slots=True)
class _Row:
    """One refused thing under one reason."""

    reason: str
    kind: str
    place: Place | None = None
    hlo: Hlo | None = None
    match: Match | None = None


def reasons_of(operators: tuple[Operator, ...], entry_of: EntryOf, target: str) -> tuple[Reason, ...]:
    """Every refused use under at least one reason; what nothing explains comes last and says so."""
    groups: dict[str, list[_Row]] = {}
    for operator in operators:
        for row in _rows(operator):
            groups.setdefault(row.reason, []).append(row)
    found = [_reason(name, rows, entry_of(name), target) for name, rows in groups.items()]
    return tuple(sorted(found, key=lambda r: (r.id in _OPEN, -len(r.hlo), -len(r.places), r.id)))


def _rows(operator: Operator) -> Iterator[_Row]:
    """Instructions decide where the report lists them; else the graph, the name, the stage of a place."""
    reasons: dict[str, None] = {}
    for hlo in operator.hlo:
        for match in hlo.matches or (Match(UNEXPLAINED, ""),):
            reasons[match.entry] = None
            yield _Row(match.entry, operator.kind, hlo=hlo, match=match)
    for place in operator.places:
        if reasons:
            yield from (_Row(reason, operator.kind, place=place) for reason in reasons)
        else:
            for match in place.matches or (Match(_open(place), ""),):
                yield _Row(match.entry, operator.kind, place=place, match=match)


def _open(place: Place) -> str:
    if place.stage == LOWERING:
        return NO_LOWERING
    return UNEXPLAINED if place.graph else UNDECIDED


def _reason(name: str, rows: list[_Row], entry: Entry | None, target: str) -> Reason:
    seen = _once(row.match.seen for row in rows if row.match and row.match.seen)
    title, cause = (_title(entry, rows, target), entry.cause) if entry else _OPEN.get(name, _without_entry(name, seen))
    places = tuple(row.place for row in rows if row.place)
    hlo = tuple(row.hlo for row in rows if row.hlo)
    return Reason(
        id=name,
        title=title,
        cause=cause,
        entry=entry,
        operators=_once(row.kind for row in rows),
        places=places,
        hlo=hlo,
        seen=seen,
        basis=_once(row.match.basis for row in rows if row.match and row.match.seen),
        since=_since(rows),
        place_count=len(places),
        hlo_count=len(hlo),
        stages=_once(place.stage for place in places if place.stage),
    )


def _title(entry: Entry, rows: list[_Row], target: str) -> str:
    opcodes = _once(row.hlo.parsed.opcode for row in rows if row.hlo and row.hlo.parsed)
    return filled(entry.title, {"operator": ", ".join(opcodes) or rows[0].kind, "target": target})


def _without_entry(name: str, seen: tuple[str, ...]) -> tuple[str, str]:
    code = name.replace("-", "_")
    cause = f"A documented limit ({code}); this knowledge base has no entry for it."
    return f"{code}: {', '.join(seen)}", cause


def _once(values: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _since(rows: list[_Row]) -> Since | None:
    matched = [(row.hlo, row.match) for row in rows if row.hlo and row.hlo.parsed and row.match]
    newer = [(hlo, match) for hlo, match in matched if match.since]
    if not newer:
        return None
    opcodes = _once(hlo.parsed.opcode for hlo, _ in newer if hlo.parsed)
    others = _once(h.parsed.opcode for h, m in matched if h.parsed and not m.since)
    return Since(newer[0][1].since, opcodes, others)
