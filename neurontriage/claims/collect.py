"""Matches → Claims: everything that could state a failure, merged by what it claims, bounded in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from neurontriage.claims.alike import Alike
from neurontriage.claims.claim import COUNTED, Claim
from neurontriage.claims.context import Context, context
from neurontriage.claims.match import Match, said
from neurontriage.claims.roles import role
from neurontriage.claims.sessions import Heard, Sessions
from neurontriage.claims.tails import Tails
from neurontriage.expressions import expression
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.digits import by_form
from neurontriage.model import Event
from neurontriage.parse.times import seconds

PLAIN = "PLAIN-Unknown"
_MOST_SPLIT, _MOST_PLAIN = 200, 3000
_LONGEST = 4000  # characters of a text that tell its claim
_MOST_CONDITIONS, _MOST_LOOSE = 4, 20
_FRAMED, _MESSAGE = "framed", "message"
_HEADER = frozenset({"COMPONENT", "CONTINUATION", "HEADING"})
# What a line says in its own words fills the title of a finding, but does not make two of one.
_SAID = frozenset({"pass", "reason", "rule"})
_VARIABLE = expression(r"0x[0-9a-fA-F]+|[0-9a-f]{8,}|\d+")
_PLACEHOLDER = expression(r"\{(\w+)\}")


@dataclass(eq=False, repr=False)
class Gathered:
    """The claims of an incident, or of a part of it. `times`: the last printed time of each log.

    `last_code`: the key of the claim of the last code that a compiler printed; `loose`: ends of its tracebacks before.
    """

    found: dict[tuple[str, ...], Claim] = field(default_factory=dict)
    last_code: tuple[str, ...] | None = None
    loose: list[Match] = field(default_factory=list)
    times: MutableMapping[str, float] = field(default_factory=dict)
    passed_over: int = 0
    sessions: Sessions = field(default_factory=Sessions)
    tails: Tails = field(default_factory=Tails)


class Claims:
    """Collects the claims of an incident, event by event; `listed` gives them when all is read."""

    def __init__(self, catalog: Catalog, gathered: Gathered) -> None:
        self._catalog = catalog
        self._families = catalog.named
        self._gathered, self.found = gathered, gathered.found
        self.alike = Alike()
        self.heard = Heard(self.found, gathered.sessions)

    def take(self, later: Gathered, claims: Iterable[tuple[tuple[str, ...], Claim]]) -> None:
        """Take in the claims of the part of the incident that comes next, as if its events were added here."""
        mine, names = self._gathered, {}
        for match in later.loose:
            self._enrich(match)
        for key, claim in claims:
            put = self._put(claim)
            names[key] = claim.key if claim.key in self.found else claim.wide
            if key == later.last_code and put is not None:
                mine.last_code = put
        self.heard.passed(mine.sessions.take(later.sessions, names))
        mine.times.update(later.times)
        mine.passed_over += later.passed_over
        mine.tails.take(later.tails)

    def _put(self, claim: Claim) -> tuple[str, ...] | None:
        """Where a claim of a later part is among these; None where there is no room for it."""
        times = self._gathered.times
        claim.sightings.since(times)
        key = claim.key if claim.key in self.found or len(self.found) <= _MOST_SPLIT else claim.wide
        if key in self.found:
            self.found[key].take(claim)
        elif key[0] == PLAIN and len(self.found) > _MOST_PLAIN:
            self._gathered.passed_over += claim.count
        else:
            self.found[key] = claim
            if claim.time is None:
                claim.time = times.get(claim.event.evidence.path)
        return key if key in self.found else None

    def before(self, event: Event) -> None:
        """A line right above this part: it may count the try that failed as what stands below it says."""
        if not _header_only(event):
            self.heard.counted(event)

    def add(self, match: Match, tried: str | None = None, handled: bool = False) -> Claim | None:
        """Put a match into its claim. `tried`: the module whose failed try it tells of; `handled`: so it was before."""
        event = match.event
        if (time := seconds(event.evidence.time)) is not None:
            self._gathered.times[event.evidence.path] = time
        if event.said.size:
            self._gathered.tails.add(event.evidence.path, event.evidence.line, event.said)
            self.alike.said[event.template] = event.said
        if match.entry is None and (_header_only(event) or self.heard.aside(event)):
            return None
        kind, claim = self._kind(event), None
        if match.entry is not None or kind or event.said.size:
            claim = self._take(match, kind, tried)
            claim.handled += handled
        self._enrich(match)
        return claim

    def _take(self, match: Match, kind: str, tried: str | None) -> Claim:
        event, key = match.event, self._key(match, kind, True)
        key = key if key in self.found or len(self.found) <= _MOST_SPLIT else self._key(match, kind, False)
        if (claim := self.found.get(key)) is None:
            if key[0] == PLAIN and len(self.found) > _MOST_PLAIN:
                self._gathered.passed_over += 1
                return self._new(match, kind)
            claim = self.found[key] = self._new(match, kind)
            claim.key, claim.wide = key, key if match.entry is None and not kind else self._key(match, kind, False)
            claim.time = self._gathered.times.get(event.evidence.path)
        claim.add(match, self._gathered.times.get(event.evidence.path))
        claim.of(tried)
        self.heard.failure(claim, key, event)
        if event.template:
            self.alike.claimed(event.template, claim)
        if match.next is not None:
            claim.or_else(match.next)
        if event.family == "neuronx_cc" and event.kind in ("tensorizer", "code"):
            self._gathered.last_code = key
        return claim

    def _kind(self, event: Event) -> str:
        """What the event's family calls it: "failure", "echo", "warning", or "" for what says nothing of a failure."""
        family = self._families.get(event.family)
        kind = "exception" if event.kind == "reraised" else event.kind
        return family.kinds.get(kind, "") if family is not None else ""

    def _key(self, match: Match, kind: str, several: bool) -> tuple[str, ...]:
        """What a match has in common with others. `several`: there is room for claims of one entry side by side."""
        if match.entry is not None:
            brief = self._catalog.briefs[match.entry]
            framed = (_FRAMED,) if _framed(match, brief) else ()
            told_apart = several and not framed and brief["severity"] != "benign"  # what is harmless is one thing
            names = _placeholders(brief["title"]) if told_apart else ()
            told = ((name, match.fields.get(name, "")) for name in names if name not in _SAID)
            return (match.entry, *framed, *(_wording(text) if name == _MESSAGE else text for name, text in told))
        event = match.event
        if not kind:
            message = event.fields.get(_MESSAGE)
            text = (said(match.fields) or event.evidence.text) if message is None else message
            return (PLAIN, _wording(text[:_LONGEST]))
        text = said(match.fields) or event.evidence.text
        unknown = self._families[event.family].unknown
        who = (event.fields.get("component", ""),) if several else ()  # passes of a compiler speak for themselves
        return (unknown, "echo", *who) if kind == "echo" or not several else (unknown, _wording(text))

    def _new(self, match: Match, kind: str) -> Claim:
        event, place = match.event, (0, match.event.order)
        if match.entry is None:
            family = self._families.get(event.family) if kind else None
            name, layer = (family.unknown, family.layer) if family else (PLAIN, "host")
            return Claim(name, None, layer, "error", role(event, None, kind), event, place)
        brief = self._catalog.briefs[match.entry]
        says, weight = role(event, brief, kind), "benign" if _framed(match, brief) else brief["severity"]
        return Claim(match.entry, match.entry, brief["layer"], weight, says, event, place)

    def close(self, path: str, skipped: Mapping[str, tuple[int, int]], ends: Iterable[tuple[int, str]]) -> None:
        """The last lines of a log (number, template), from its end, that were only counted are of its last, too."""
        known = {key: told for key, told in self.alike.said.items() if key in skipped}
        lasts = ((skipped[key][1], key) for key in known)
        self._gathered.tails.counted(path, known, ends if known else (), lasts)

    def repeat(self, skipped: Mapping[str, tuple[int, int]]) -> Iterator[tuple[Claim, int]]:
        """Add the lines that were only counted, by template, to the claims that their first ones are in.

        Gives these claims, each with the last of the lines.
        """
        for template, (count, last) in skipped.items():
            if handled := self.heard.handles.get(template):
                handled.handled += count
            if template in self.alike.claims:
                claim = self.alike.claims[template]
                claim.counted(count, last)
                yield claim, last

    def recover(self, tried: Mapping[str, bool]) -> None:
        """Failed tries fail nothing where all their modules passed in the end; lines only counted may be of any."""
        passed: set[str | None] = {name for name, well in tried.items() if well}
        left = {name for name, well in tried.items() if not well}
        for claim in self.found.values():
            told = {*claim.modules, *(left if COUNTED in claim.modules else ())} - {COUNTED}
            if claim.severity == "error" and told <= passed:
                claim.severity = "warning"
            claim.left = not told.isdisjoint(left)

    def listed(self, known: Mapping[str, str], lengths: Mapping[str, int]) -> list[Claim]:
        """All claims, in the order of the log. `known`: the versions that it prints, `lengths`: lines of each log."""
        self._apply_conditions(context(self.found.values(), known), lengths)
        for claim in self.found.values():
            claim.settle()
        _in_time(self.found.values())
        return sorted(self.found.values(), key=lambda claim: (claim.place, claim.id))

    def _apply_conditions(self, shown: Context, lengths: Mapping[str, int]) -> None:
        """Take out claims whose entry asks for another finding, its absence, or other programs than the log shows.

        Their lines go to the next best entry, which may have a condition of its own; one of another era stays if no
        other fits.  A line that no entry is left for is an unknown failure, unless another finding explains it away.
        """
        for _ in range(_MOST_CONDITIONS):
            seen = {claim.id: claim for key, claim in self.found.items() if _FRAMED not in key}
            failed = [key for key, claim in self.found.items() if not self._holds(claim, seen, shown, lengths)]
            gone = [self.found.pop(key) for key in failed]
            for claim, runners in [(one, self._instead(one, seen)) for one in gone]:
                found = [self.add(one, handled=0 < claim.handled >= claim.count) for one in runners]
                if len(runners) == len(claim.runners) and found and found[0] is not None:
                    found[0].over(claim)
            if not failed:
                break
        briefs = self._catalog.briefs
        for claim in self.found.values():
            if claim.id in briefs:
                claim.fitting = True if briefs[claim.id]["seen"] else shown.fits(briefs[claim.id])

    def _holds(self, claim: Claim, seen: Mapping[str, Claim], shown: Context, lengths: Mapping[str, int]) -> bool:
        if claim.id not in self._catalog.briefs:
            return True
        brief = self._catalog.briefs[claim.id]
        others = any(runner.entry is not None for runner in claim.runners)
        if shown.excludes(brief) or (others and shown.outdates(brief)):
            return False
        if brief["severity"] != "error" and others and _died_of(claim, lengths):
            return False
        asked = not brief["seen"] or bool(seen.keys() & set(brief["seen"]))
        return asked and not seen.keys() & set(brief["unseen"]) and not _repaired(claim, seen, brief)

    def _instead(self, claim: Claim, seen: Mapping[str, Claim]) -> list[Match]:
        """What the lines of a claim mean when its entry does not hold."""
        brief = self._catalog.briefs[claim.id]
        explained = seen.keys() & set(brief["unseen"]) or _repaired(claim, seen, brief)
        return [runner for runner in claim.runners if runner.entry is not None or not explained]

    def _enrich(self, match: Match) -> None:
        """The pass that a compiler traceback ends in belongs to the code printed before it."""
        if match.event.kind != "innermost" or not (found := match.fields.get("pass")):
            return
        if (claim := self.found.get(self._gathered.last_code or ())) is None:
            self._gathered.loose = [*self._gathered.loose, match][-_MOST_LOOSE:]
        else:
            claim.told.setdefault("pass", found)
            claim.told.setdefault("function", match.fields.get("function", ""))
            wide = f"TEN404-{found}"
            if claim.id.startswith("TEN404-") and self._catalog.briefs.get(wide, {}).get("general"):
                claim.id = claim.entry = wide


@lru_cache(maxsize=2048)
def _placeholders(title: str) -> tuple[str, ...]:
    """The fields that a title names."""
    return tuple(_PLACEHOLDER.findall(title))


@by_form(2048)
def _wording(text: str) -> str:
    """How a text begins, without its numbers."""
    return _VARIABLE.sub("#", text)[:200]


def _framed(match: Match, brief: Mapping[str, Any]) -> bool:
    """Whether a line only quotes what an entry knows as a failure: it is counted, and fails nothing."""
    return "QUOTATION" in match.event.said.words and brief["severity"] != "benign"


def _repaired(claim: Claim, seen: Mapping[str, Claim], brief: Mapping[str, Any]) -> bool:
    """Whether what repaired it was seen after it; in another log whose lines stand in no order to its own: at all."""
    repairs = (seen[name] for name in brief["repaired"] if name in seen)
    here = claim.event.evidence.path
    return any(here not in one.lasts or one.lasts[here] > claim.last for one in repairs)


def _died_of(claim: Claim, lengths: Mapping[str, int]) -> bool:
    """Whether the log ends in this exception, which no logger printed: harmless elsewhere, it ended this program."""
    said = claim.event.said
    own = claim.event.kind == said.kind == "exception" and not said.level and "THREAD" not in said.words
    return own and claim.last >= lengths.get(claim.event.evidence.path, 0) - 1


def _header_only(event: Event) -> bool:
    """Whether a line is a header with nothing behind it: `ERROR 31791 [neuronxcc.driver.CommandDriver]:`."""
    return "COMPONENT" in event.said.words and event.said.words <= _HEADER and event.evidence.text.rstrip()[-2:] == "]:"


def _in_time(claims: Collection[Claim]) -> None:
    """Claims of several logs are put in order by the times that the logs print, if all do; of one log by its lines."""
    paths = {claim.event.evidence.path for claim in claims}
    if len(paths) > 1 and all(claim.time is not None for claim in claims):
        for claim in claims:
            claim.place = claim.time or 0.0, claim.place[1]
