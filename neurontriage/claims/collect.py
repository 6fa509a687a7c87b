"""Matches → Claims: everything that could state a failure, merged by what it claims, bounded in memory."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from neurontriage.claims.claim import MOST_EVIDENCE, Claim
from neurontriage.claims.match import Match, said
from neurontriage.claims.roles import role
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.scan import TAIL
from neurontriage.model import Event, Said
from neurontriage.parse.times import seconds

PLAIN = "PLAIN-Unknown"
_MOST_SPLIT, _MOST_PLAIN = 200, 3000
_MOST_CONDITIONS = 4
# What a line says in its own words fills the title of a finding, but does not make two of one.
_SAID = frozenset({"pass", "reason", "rule"})
_UNCONDITIONAL: Mapping[str, Any] = {"seen": [], "unseen": []}
_VARIABLE = re.compile(r"0x[0-9a-fA-F]+|[0-9a-f]{8,}|\d+")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


class Claims:
    """Collects the claims of an incident, event by event; `listed` gives them when all is read."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._families = {family.name: family for family in catalog.families}
        self.found: dict[tuple[str, ...], Claim] = {}
        self._last_code: Claim | None = None
        self._times: dict[str, float] = {}
        self._templates: dict[str, Claim] = {}
        self.passed_over = 0
        self.tail: deque[Said] = deque(maxlen=TAIL)

    def add(self, match: Match, quoted: str | None = None) -> None:
        """Put a match into its claim. `quoted`: the module whose earlier try the line only quotes."""
        event = match.event
        time = seconds(event.evidence.time)
        if time is not None:
            self._times[event.evidence.path] = time
        if event.said.size:
            self.tail.append(event.said)
        kind = self._kind(event)
        if match.entry is not None or kind or event.said.size or event.kind == "reraised":
            self._take(match, kind, quoted)
        self._enrich(match)

    def _take(self, match: Match, kind: str, quoted: str | None) -> None:
        event, key = match.event, self._key(match, kind)
        claim = self.found.get(key)
        if claim is None:
            if key[0] == PLAIN and len(self.found) > _MOST_PLAIN:
                self.passed_over += 1
                return
            claim = self.found[key] = self._new(match, kind)
            claim.time = self._times.get(event.evidence.path)
        claim.add(match)
        claim.quoted.add(quoted)
        if event.template:
            self._templates[event.template] = claim
        if match.next is not None and match.next.entry is not None and len(claim.runners) < MOST_EVIDENCE:
            claim.runners.append(match.next)
        if event.family == "neuronx_cc" and event.kind in ("tensorizer", "code"):
            self._last_code = claim

    def _kind(self, event: Event) -> str:
        """What the event's family calls it: "failure", "echo", "warning", or "" for what says nothing of a failure."""
        family = self._families.get(event.family)
        if event.kind == "reraised":
            return "failure"
        return family.kinds.get(event.kind, "") if family is not None else ""

    def _key(self, match: Match, kind: str) -> tuple[str, ...]:
        several = len(self.found) <= _MOST_SPLIT
        if match.entry is not None:
            names = _PLACEHOLDER.findall(self._catalog.briefs[match.entry]["title"]) if several else []
            return (match.entry, *(match.fields.get(name, "") for name in names if name not in _SAID))
        event, text = match.event, said(match.fields) or match.event.evidence.text
        if not kind:
            return (PLAIN, _VARIABLE.sub("#", event.fields.get("message", text))[:200])
        unknown = self._families[event.family].unknown
        return (unknown, "echo") if kind == "echo" or not several else (unknown, _VARIABLE.sub("#", text)[:200])

    def _new(self, match: Match, kind: str) -> Claim:
        event, place = match.event, (0, match.event.order)
        if match.entry is None:
            family = self._families.get(event.family) if kind else None
            name, layer = (family.unknown, family.layer) if family else (PLAIN, "host")
            return Claim(name, None, layer, "error", role(event, None, kind), event, place)
        brief = self._catalog.briefs[match.entry]
        says = role(event, brief, kind)
        return Claim(match.entry, match.entry, brief["layer"], brief["severity"], says, event, place)

    def repeat(self, skipped: Mapping[str, tuple[int, int]]) -> None:
        """Add the lines that were only counted, by template, to the claims that their first ones are in."""
        for template, (count, last) in skipped.items():
            if template in self._templates:
                claim = self._templates[template]
                claim.count += count
                claim.last = max(claim.last, last)

    def recover(self, passed: Iterable[str]) -> None:
        """Failures that are only quoted from an earlier try, of modules that compile now, fail nothing any more."""
        compiled = set(passed)
        for claim in self.found.values():
            if claim.severity == "error" and claim.quoted <= compiled:
                claim.severity = "warning"

    def listed(self) -> list[Claim]:
        """All claims, in the order of the log."""
        self._apply_conditions()
        _in_time(self.found.values())
        return sorted(self.found.values(), key=lambda claim: (claim.place, claim.id))

    def _apply_conditions(self) -> None:
        """Take out claims whose entry asks for another finding in the log, or for its absence.

        Their lines go to the next best entry, which may have a condition of its own; a line that some entry
        understands never becomes an unknown failure.
        """
        for _ in range(_MOST_CONDITIONS):
            ids = {claim.id for claim in self.found.values()}
            failed = [key for key, claim in self.found.items() if not self._holds(claim, ids)]
            for runner in [one for key in failed for one in self.found.pop(key).runners]:
                self.add(runner)
            if not failed:
                return

    def _holds(self, claim: Claim, ids: set[str]) -> bool:
        brief = self._catalog.briefs.get(claim.id, _UNCONDITIONAL)
        return (not brief["seen"] or bool(ids & set(brief["seen"]))) and not ids & set(brief["unseen"])

    def _enrich(self, match: Match) -> None:
        """The pass that a compiler traceback ends in belongs to the code printed before it."""
        claim, found = self._last_code, match.fields.get("pass")
        if match.event.kind == "innermost" and found and claim is not None:
            claim.fields.setdefault("pass", found)
            claim.fields.setdefault("function", match.fields.get("function", ""))
            wide = f"TEN404-{found}"
            if claim.id.startswith("TEN404-") and self._catalog.briefs.get(wide, {}).get("general"):
                claim.id = claim.entry = wide


def _in_time(claims: Collection[Claim]) -> None:
    """Claims of several logs are put in order by the times that the logs print, if all do; of one log by its lines."""
    paths = {claim.event.evidence.path for claim in claims}
    if len(paths) > 1 and all(claim.time is not None for claim in claims):
        for claim in claims:
            claim.place = claim.time or 0.0, claim.place[1]
