"""Matches → findings with roles: the root cause, its consequences, and what is only context.

Order, total and deterministic: how much a finding explains (a particular root before a general one, before
failures that no entry knows, before symptoms and wrappers), then where it stands in the log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from neurontriage.claims.harmless import calm, warns
from neurontriage.claims.match import Match, said
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Event, Evidence
from neurontriage.parse.times import seconds

MOST_EVIDENCE = 10
# What a line says in its own words fills the title of a finding, but does not make two of one.
_SAID = frozenset({"pass", "reason", "rule"})
_MOST_FINDINGS = 200
_EXCERPT = 3
_MOST_CONDITIONS = 4
_UNCONDITIONAL: Mapping[str, Any] = {"seen": [], "unseen": []}
_CALM_LEVELS = frozenset({"TRACE", "DEBUG", "INFO", "NOTICE"})
_VARIABLE = re.compile(r"0x[0-9a-fA-F]+|[0-9a-f]{8,}|\d+")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_DEEP = frozenset({"compiler", "runtime", "collectives", "driver", "kubernetes", "install"})

ROOT, GENERAL, DEEP, SYMPTOM, SHALLOW, WRAPPER, ECHO = range(7)


@dataclass
class Group:
    """All matches of one finding so far. `place`: (order in time, order of reading) of its first event."""

    id: str
    known: bool
    family: str
    kind: str
    fields: dict[str, str]
    place: tuple[float, int]
    count: int = 0
    weight: tuple[int, ...] = ()
    evidence: list[Evidence] = field(default_factory=list)
    runners: list[Match] = field(default_factory=list)
    shown: set[tuple[int | None, str]] = field(default_factory=set)
    ranks: set[int] = field(default_factory=set)
    layer: str = ""
    time: float | None = None
    severity: str = "error"
    tier: int = ECHO
    role: str = "context"
    caused_by: str | None = None
    quoted: set[str | None] = field(default_factory=set)

    def add(self, match: Match) -> None:
        """Take a match in: the line of the most specific match first, then the order of the log, repeats left out."""
        event = match.event
        self.count += 1
        if event.evidence.rank is not None:
            self.ranks.add(event.evidence.rank)
        if match.weight > self.weight and self.evidence:
            self.evidence.insert(0, event.evidence)
            self.fields = {**self.fields, **match.fields}
        elif len(self.evidence) < MOST_EVIDENCE and self._new(event):
            self.evidence.append(event.evidence)
            self.fields = {**match.fields, **self.fields}
        self.weight = max(self.weight, match.weight)
        del self.evidence[MOST_EVIDENCE:]

    def _new(self, event: Event) -> bool:
        """Whether a line says something that no line shown so far says, but for times and process ids."""
        what = (event.evidence.rank, event.fields.get("message", event.evidence.text))
        if what in self.shown:
            return False
        self.shown.add(what)
        return True


class Groups:
    """Collects matches into groups, bounded in memory however long the log is."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._families = {family.name: family for family in catalog.families}
        self.found: dict[tuple[str, ...], Group] = {}
        self._last_code: Group | None = None
        self.remark: Group | None = None
        self._times: dict[str, float] = {}
        self._templates: dict[str, Group] = {}

    def add(self, match: Match, quoted: str | None = None) -> None:
        """Put a match into its group; events that say nothing about a failure are left out.

        `quoted`: the module whose earlier try the line only quotes.
        """
        time = seconds(match.event.evidence.time)
        if time is not None:
            self._times[match.event.evidence.path] = time
        if match.entry is None and not self._failure(match.event):
            self._weak(match)
            self._enrich(match)
            return
        key = self._key(match)
        group = self.found.get(key)
        if group is None:
            group = self.found[key] = self._new(match)
            group.time = self._times.get(match.event.evidence.path)
        group.add(match)
        group.quoted.add(quoted)
        if match.event.template:
            self._templates[match.event.template] = group
        if match.next is not None and match.next.entry is not None and len(group.runners) < MOST_EVIDENCE:
            group.runners.append(match.next)
        if match.event.family == "neuronx_cc" and match.event.kind in ("tensorizer", "code"):
            self._last_code = group
        self._enrich(match)

    def _weak(self, match: Match) -> None:
        """Keep the first line that speaks of a failure in plain words, in case that nothing better comes."""
        family = self._families.get(match.event.family)
        text = match.event.evidence.text
        severity = "warning" if warns(text) else "error"
        if self.remark is not None and (self.remark.severity, severity) != ("warning", "error"):
            return
        if family is not None and family.kinds.get(match.event.kind) == "weak" and not calm(text):
            self.remark = self._new(match)
            self.remark.severity = severity
            self.remark.add(match)

    def repeat(self, skipped: Mapping[str, int]) -> None:
        """Add the lines that were only counted, by template, to the findings that their first ones are in."""
        for template, count in skipped.items():
            if template in self._templates:
                self._templates[template].count += count

    def recover(self, passed: Iterable[str]) -> None:
        """Failures that are only quoted from an earlier try, of modules that compile now, fail nothing any more."""
        compiled = set(passed)
        for group in self.found.values():
            if group.severity == "error" and group.quoted <= compiled:
                group.severity = "warning"

    def listed(self, lines: int) -> list[Group]:
        """All groups; in an excerpt of a few lines without any error, the one remark too."""
        self._apply_conditions()
        groups = list(self.found.values())
        if self.remark is not None and lines <= _EXCERPT and not any(g.severity != "benign" for g in groups):
            groups.append(self.remark)
        return groups

    def _apply_conditions(self) -> None:
        """Take out findings whose entry asks for another finding in the log, or for its absence.

        Their lines go to the next best entry, which may have a condition of its own; a line that some entry
        understands never becomes an unknown failure.
        """
        for _ in range(_MOST_CONDITIONS):
            ids = {group.id for group in self.found.values()}
            failed = [key for key, group in self.found.items() if not self._holds(group, ids)]
            for runner in [one for key in failed for one in self.found.pop(key).runners]:
                self.add(runner)
            if not failed:
                return

    def _holds(self, group: Group, ids: set[str]) -> bool:
        brief = self._catalog.briefs.get(group.id, _UNCONDITIONAL)
        return (not brief["seen"] or bool(ids & set(brief["seen"]))) and not ids & set(brief["unseen"])

    def _enrich(self, match: Match) -> None:
        """The pass that a compiler traceback ends in belongs to the code printed before it."""
        group, found = self._last_code, match.fields.get("pass")
        if match.event.kind == "innermost" and found and group is not None:
            group.fields.setdefault("pass", found)
            group.fields.setdefault("function", match.fields.get("function", ""))
            if group.id.startswith("TEN404-") and self._catalog.briefs.get(f"TEN404-{found}", {}).get("general"):
                group.id = f"TEN404-{found}"

    def _failure(self, event: Event) -> bool:
        family = self._families.get(event.family)
        if event.family == "python" and event.kind == "reraised":
            return True
        if family is None or (family.generic and event.fields.get("level") in _CALM_LEVELS):
            return False
        return family.kinds.get(event.kind) in ("failure", "echo")

    def _key(self, match: Match) -> tuple[str, ...]:
        if match.entry is not None:
            several = len(self.found) <= _MOST_FINDINGS
            names = _PLACEHOLDER.findall(self._catalog.briefs[match.entry]["title"]) if several else []
            return (match.entry, *(match.fields.get(name, "") for name in names if name not in _SAID))
        event = match.event
        family = self._families[event.family]
        if self._echo(event) or len(self.found) > _MOST_FINDINGS:
            return (family.unknown, "echo")
        return (family.unknown, _VARIABLE.sub("#", said(match.fields) or event.evidence.text)[:200])

    def _echo(self, event: Event) -> bool:
        family = self._families.get(event.family)
        return event.kind == "reraised" or (family is not None and family.kinds.get(event.kind) == "echo")

    def _new(self, match: Match) -> Group:
        event = match.event
        place = (0, event.order)
        if match.entry is None:
            family = self._families[event.family]
            group = Group(family.unknown, False, event.family, event.kind, {}, place, layer=family.layer)
            deep = family.layer in _DEEP or event.family in ("pjrt",)
            group.tier = ECHO if self._echo(event) else DEEP if deep and not family.generic else SHALLOW
            return group
        brief = self._catalog.briefs[match.entry]
        group = Group(match.entry, True, event.family, event.kind, {}, place, layer=brief["layer"])
        group.severity, group.tier = brief["severity"], tier(brief)
        if event.kind == "reraised" and group.tier in (ROOT, GENERAL):
            group.tier = SYMPTOM
        return group


def tier(brief: Mapping[str, Any]) -> int:
    """How far up in the causal order an entry stands by itself."""
    if brief["role"] == "wrapper":
        return WRAPPER
    if brief["role"] == "symptom":
        return SYMPTOM
    if brief["general"]:
        return GENERAL if brief["layer"] in _DEEP else SHALLOW
    return ROOT


def rank(groups: Iterable[Group], catalog: Catalog) -> list[Group]:
    """Give every group its role, and put them in the order of the answer."""
    present = _in_time(list(groups))
    errors = sorted((g for g in present if g.severity == "error"), key=lambda g: (g.tier, g.place, g.id))
    root = _root(errors, catalog)
    for group in errors:
        if group is root:
            group.role, group.caused_by = "root", None
        else:
            group.role, group.caused_by = _consequence(group, root, errors, catalog)
    return sorted(present, key=_order)


def _order(group: Group) -> tuple[int, int, int, tuple[float, int], str]:
    roles = {"root": 0, "consequence": 1, "context": 2}
    severities = {"error": 0, "warning": 1, "benign": 2}
    late = severities[group.severity]
    return late, roles[group.role], group.tier, group.place, group.id


def _root(errors: list[Group], catalog: Catalog) -> Group | None:
    """The first in causal order that no other error explains."""
    for group in errors:
        others = [other for other in errors if other is not group and explains(other, group, catalog)]
        if all(explains(group, other, catalog) for other in others):
            return group
    return errors[0] if errors else None


def _consequence(group: Group, root: Group | None, errors: list[Group], catalog: Catalog) -> tuple[str, str | None]:
    """The role of an error that is not the root: an edge says so, or it only repeats that something failed."""
    direct = [other for other in errors if other is not group and explains(other, group, catalog)]
    direct = [other for other in direct if not explains(group, other, catalog)]
    if direct:
        nearest = max(direct, key=lambda other: (other.tier, other.place))
        return "consequence", nearest.id
    if root is not None and ((group.tier > root.tier and group.tier >= SYMPTOM) or group.place > root.place):
        return ("consequence", root.id) if group.tier >= SYMPTOM else ("context", None)
    return "context", None


def explains(cause: Group, effect: Group, catalog: Catalog) -> bool:
    """Whether the entry of `cause` names `effect` by id, or by `family:` or `layer:` (then only what is not deeper)."""
    brief = catalog.briefs.get(cause.id)
    left = _left_its_peers(cause, effect)
    if brief is None or cause.id == effect.id:
        return left
    named = brief["explains"]
    wide = f"family:{effect.family}" in named or f"layer:{effect.layer}" in named
    return left or effect.id in named or (wide and effect.tier >= cause.tier)


def _left_its_peers(cause: Group, effect: Group) -> bool:
    """Whether a program ended before its peers said that they lost a connection."""
    ended = cause.family == "python" and cause.tier == SHALLOW and cause.place < effect.place
    return ended and effect.layer == "collectives" and effect.tier == SYMPTOM


def _in_time(groups: list[Group]) -> list[Group]:
    """Several logs are put in order by the times they print, if all do; one log by its lines alone."""
    paths = {evidence.path for group in groups for evidence in group.evidence}
    if len(paths) < 2 or any(group.time is None for group in groups):
        return groups
    return [replace(group, place=(group.time or 0.0, group.place[1])) for group in groups]
