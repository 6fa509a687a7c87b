"""Result + knowledge entries → Analysis: per refused operator the reason, the place and what helps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from neurontriage.analysis.forms import judged
from neurontriage.analysis.model import Analysis, Hlo, Operator, Place, Share, SourceFile, SourceLine, Version
from neurontriage.analysis.notes import notes_on
from neurontriage.analysis.reasons import EntryOf, reasons_of
from neurontriage.analysis.result import Refusal, RefusedHlo, Result
from neurontriage.analysis.sites import site_of
from neurontriage.knowledge.versions import Releases
from neurontriage.model import Diagnosis
from neurontriage.operators import limits

Refused = TypeVar("Refused", Place, Hlo)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the join needs besides the report: entries, the table of releases, the target."""

    entry_of: EntryOf
    releases: Releases
    target: str = "trn1"
    log: Diagnosis | None = None


def analyse(result: Result, facts: Facts) -> Analysis:
    """The answer for one report."""
    hlo = tuple(_hlo(item, facts.target) for item in result.refused_hlo or ())
    places = tuple(_place(item, facts.target) for item in result.refused or ())
    operators = _operators(result, places, hlo)
    unparsed = tuple(item.text for item in hlo if item.parsed is None)
    return Analysis(
        result=result,
        target=facts.target,
        share=share_of(result),
        operators=operators,
        reasons=reasons_of(operators, facts.entry_of, facts.target),
        sources=_sources(places),
        versions=_versions(result, facts.releases),
        notes=notes_on(result, share_of(result), len(unparsed)),
        unparsed=unparsed,
        ended=facts.releases.ended(result.versions),
        log=facts.log,
    )


def _versions(result: Result, releases: Releases) -> tuple[Version, ...]:
    found = {package: releases.sdk_of(package, version) for package, version in result.versions.items()}
    return tuple(Version(package, result.versions[package], _span(sdks)) for package, sdks in found.items())


def _span(sdks: tuple[str, ...]) -> str | None:
    """Several patch releases may ship one version: the first and the last are named."""
    return " to ".join(dict.fromkeys((sdks[0], sdks[-1]))) if sdks else None


def share_of(result: Result) -> Share:
    """Training counts HLO instructions (listed at verbosity 1 only), inference counts aten nodes."""
    if result.schema == "inference":
        passed, refused = sum((result.supported or {}).values()), len(result.refused or ())
        whole = result.supported is not None and result.refused is not None
        total = passed + refused if whole else 0
        return Share(result.printed, result.percentage, "operator calls", passed, total)
    if result.supported_hlo is None or result.refused_hlo is None:
        return Share(result.printed, result.percentage, "HLO instructions")
    passed, refused = len(result.supported_hlo), len(result.refused_hlo)
    return Share(result.printed, result.percentage, "HLO instructions", passed, passed + refused)


def _hlo(item: RefusedHlo, target: str) -> Hlo:
    return Hlo(item.hlo_instruction, item.aten_op or "", *judged(item.hlo_instruction, target))


def _place(item: Refusal, target: str) -> Place:
    matches = limits.of_graph(item.kind, item.opGraph or "", target) or _of_kind(item.kind)
    return Place(item.kind, _site(item.call or ""), item.failureAt or "", item.opGraph or "", matches)


_site = lru_cache(maxsize=65_536)(site_of)
_of_kind = lru_cache(maxsize=65_536)(limits.of_kind)


def _operators(result: Result, places: tuple[Place, ...], hlo: tuple[Hlo, ...]) -> tuple[Operator, ...]:
    """Refused ones first, the more frequent first, then by name: a total order."""
    supported = result.supported or {}
    here, lowered = _by_kind(places), _by_kind(hlo)
    found = [
        _operator(kind, supported.get(kind, 0), tuple(here.get(kind, ())), tuple(lowered.get(kind, ())))
        for kind in dict.fromkeys([*here, *lowered, *supported])
    ]
    return tuple(sorted(found, key=lambda o: (o.refused == 0, -o.count, o.kind)))


def _operator(kind: str, supported: int, places: tuple[Place, ...], hlo: tuple[Hlo, ...]) -> Operator:
    return Operator(kind, supported, len(places), len(hlo), places, hlo)


def _by_kind(items: Iterable[Refused]) -> dict[str, list[Refused]]:
    groups: dict[str, list[Refused]] = {}
    for item in items:
        groups.setdefault(item.kind, []).append(item)
    return groups


def _sources(places: tuple[Place, ...]) -> tuple[SourceFile, ...]:
    """Files by name, lines in order; a place without a readable position is shown with its reason only."""
    found: dict[str, dict[int, dict[str, str]]] = {}
    for place in places:
        frame = place.site.frame
        if frame:
            found.setdefault(frame.file, {}).setdefault(frame.line, {})[place.kind] = frame.function
    return tuple(
        SourceFile(file, tuple(_source_line(line, lines[line]) for line in sorted(lines)))
        for file, lines in sorted(found.items(), key=lambda item: natural(item[0]))
    )


def natural(text: str) -> list[tuple[int, str]]:
    """A key by which module_2 comes before module_10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d{1,18})", text)]


def _source_line(line: int, kinds: Mapping[str, str]) -> SourceLine:
    return SourceLine(line, next(iter(kinds.values())), tuple(sorted(kinds)))
