"""Claims → roles: the root cause, its consequences, and what is only context.

The ranker says which claim is the root and whether anything failed; the evidence graph says what follows from it.
No edge, no consequence, but for lines that only belong to the event of the root (`beside`).  A claim that nothing
connects to the root is context, however loud it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from neurontriage.claims.claim import Claim
from neurontriage.claims.interrupt import stops
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.levels import LOUD
from neurontriage.model import Suspect, Why
from neurontriage.ranking.answers.reasons import answer
from neurontriage.ranking.answers.told import tell
from neurontriage.ranking.causes.beneath import fatal
from neurontriage.ranking.causes.beside import beside
from neurontriage.ranking.causes.burst import joined
from neurontriage.ranking.causes.precedence import person, stated, unprompted
from neurontriage.ranking.causes.relayed import points
from neurontriage.ranking.causes.repeated import stayed
from neurontriage.ranking.causes.specific import specific
from neurontriage.ranking.causes.supposing import listed
from neurontriage.ranking.causes.tried import spent
from neurontriage.ranking.edges.chain import causal
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.graph import Edge, Graph, graph
from neurontriage.ranking.onward import goes_on, to_the_end
from neurontriage.ranking.ranker import load
from neurontriage.ranking.statements import HEADER, counts_none, crashed, record
from neurontriage.ranking.survived.after import quiet
from neurontriage.ranking.survived.closing import closes, ends_in, seeming
from neurontriage.ranking.survived.complaining import complains
from neurontriage.ranking.survived.concluding import breaks_off, concluded, form_of
from neurontriage.ranking.survived.events import awaits
from neurontriage.ranking.survived.fell_silent import silent
from neurontriage.ranking.survived.outermost import told_at_end
from neurontriage.ranking.survived.passed import last_word, passed
from neurontriage.ranking.survived.recurring import recurs
from neurontriage.ranking.weighing import weigh

MOST_SUSPECTS, MOST_UNKNOWN = 3, 12
_SURE, _NEAR, _KNOWN, _LAST = 0.8, 3.0, 2.0, 3
# Shares: one printed as 0 %; one that is nothing beside a known root; one at which even a line of information counts.
_FAINT, _LITTLE, _MUCH = 0.005, 0.05, 0.15
_LESS = "it says less of what is wrong than the line above it"
_HALTED = 60  # lines below what halted a run, where none counts its steps
# Words without which a line that no entry knows is not even worth a warning.
_JUDGED = frozenset({"INABILITY", "LIMIT", "MISSING", "REFUSED", "INVALID", "FAILED", "EXPECTED", "WARNING"}) | {
    "WARNED",
    "EXCEPTION",
    "REASON",
    "SIGNALLED",
    "ASSERTION",
}
# With these it calls itself a message of that kind; these say that something happened.
_CALLED = frozenset({"LABEL", "LEVEL", "WARNED", "EXCEPTION"})
_EVENT = frozenset({"INABILITY", "REFUSED", "REASON", "LIMIT", "FAILED", "SIGNALLED"})
_TELLING = _JUDGED | {"ADVICE", "LABEL", "FRAME", "EXIT"}


class Judged(NamedTuple):
    """Claims that become findings, in the order of the answer, and the lines to suspect besides."""

    claims: tuple[Claim, ...]
    suspects: tuple[Suspect, ...] = ()


def decide(scene: Scene, catalog: Catalog) -> Judged:
    """Give every claim its role. Harmless claims and warnings are kept as they are."""
    ranker = load()
    for claim in listed(scene.claims):
        claim.severity = "benign"
    errors = [claim for claim in scene.claims if claim.severity == "error"]
    unprompted(errors, scene)
    words = concluded(errors, scene)
    words += [c for c in errors if (awaits(c, scene.course(c)) or complains(c, scene.course(c))) and c not in words]
    alarm = weigh(errors, scene, may_alarm)
    # What an entry knows as one failure is one wherever it is no note: the rest is weighed by how it is said.
    least = {id(c): ranker.threshold - (_KNOWN if particular(c, scene.briefs) else 0.0) for c in errors}
    ends = [
        c
        for c in errors
        if ends_in(c, scene) or crashed(c) or spent(c, scene) or halts(c, scene) or to_the_end(c, scene.course(c))
    ]
    ends += [c for c in errors if c in words or breaks_off(c, scene) or _mourned(c, scene) or recurs(c, scene)]
    dead = {id(c) for c in errors if silent(c, scene)}
    ends += [c for c in errors if id(c) in dead or told_at_end(c, scene)]
    ends += [c for c in errors if fatal(c) and c.last >= scene.progress.get(c.event.evidence.path, 0)]
    loud = [c for c in errors if alarm.get(id(c), -math.inf) > least[id(c)] or c.left or c in ends]
    # What then failed says so itself.
    done = passed(errors, loud, dead, scene)
    left = [c for c in errors if id(c) not in done]
    loud = [c for c in loud if id(c) not in done] or _recorded(left, scene) or last_word(left, loud, scene)
    ranked = sorted(errors, key=lambda claim: (-claim.score, claim.place, claim.id))
    ranked.sort(key=lambda claim: id(claim) in done)
    complaints = loud if all(goes_on(c, scene.course(c), scene.briefs) for c in loud) else []
    loud = [] if complaints else seeming(loud, left, ends, scene)
    if loud and all(crashed(c) or c in words for c in loud):
        ranked.sort(key=lambda claim: (claim not in loud, claim in words))
    if not loud:
        near = [c for c in ranked if alarm.get(id(c), -math.inf) > ranker.threshold - _NEAR or _last_error(c, scene)]
        return _calm(scene, ranked, near, complaints)
    # What was survived neither caused nor followed what failed.
    done |= {id(c) for c in quiet([c for c in ranked if id(c) not in done], loud, scene)}
    evidence, stop = graph([c for c in errors if id(c) not in done], catalog.briefs), _stop(loud)
    likely = _preceding([c for c in ranked if id(c) not in done], evidence, scene)
    root = stop or _first(specific(_cause(likely, evidence), errors, scene), loud, scene, evidence)
    stop = root if person(root) else stop
    root.role, doubted = "root", _doubted(root, ranked)
    answer(root, catalog, form_of(root, scene) if root in words else None)
    _consequences(root, errors, evidence)
    tell(root, errors, catalog.briefs)
    kept = [c for c in errors if c is root or c.known or c.role == "consequence" or c in loud[:MOST_UNKNOWN]]
    beside(root, kept)
    kept = joined(root, kept + _named(kept, errors), scene)
    for claim in kept if stop else [c for c in kept if id(c) in done and c.role == "context"]:
        claim.severity = "warning"
    others = [claim for claim in scene.claims if claim.severity != "error" and claim not in kept]
    return Judged(tuple(sorted([*kept, *others], key=_order)), _suspects(doubted))


def _preceding(ranked: Sequence[Claim], evidence: Graph, scene: Scene) -> Claim:
    """The most likely claim, or the one that it gives way to: that takes its likelihood, too, and is its cause."""
    first, likely = ranked[0], stated(ranked, scene)
    likely.score, first.score = first.score, likely.score
    if likely.event.evidence.path == first.event.evidence.path and likely.place < first.place:
        evidence.add([Edge(likely, first, "exit_of", _LESS)])
    return likely


def _doubted(root: Claim, ranked: Sequence[Claim]) -> list[Claim]:
    """The claims that may be the root instead, the likeliest first."""
    if root.known and root.score >= _SURE:
        return []
    others = sorted((claim for claim in ranked if claim is not root), key=lambda claim: -claim.score)
    return [claim for claim in others if not root.known or claim.score > _LITTLE]


def _stop(loud: Sequence[Claim]) -> Claim | None:
    """The claim that a person stopped the run, if that was the first thing that went wrong: the rest is no failure."""
    stated = [claim for claim in loud if claim.says not in ("note", "state") or stops(claim)]
    first = min(stated, key=lambda claim: claim.place, default=None)
    return first if first is not None and person(first) else None


def may_alarm(claim: Claim, scene: Scene) -> bool:
    """What no entry knows never makes a log a failed one if it is only information, a quotation, or a count of none.

    Nor does it if the program said afterwards that it ended with exit code 0.  What an entry knows only as a class, and
    not as information, does not either where the program itself calls it information; nor does a message that an entry
    knows well, where a statement of information only speaks of it, or counts none of it, and nothing raises it.
    """
    if claim.entry is not None and scene.briefs[claim.entry]["halts"]:
        return halts(claim, scene)
    informs = claim.event.said.level in ("INFO", "DEBUG")
    if claim.entry is not None:
        kinds = {claim.event.said.kind, *(one.event.said.kind for one in claim.kept)}
        raised = particular(claim, scene.briefs) and kinds != {"statement"}
        events = [claim.event, *(one.event for one in claim.kept)]
        zero = all(one.said.words & {"ZERO", "PROGRESS", "SIGNALLED"} == {"ZERO"} for one in events)
        none = zero and kinds == {"statement"}
        return (not informs and not none) or raised or scene.briefs[claim.entry]["informs"]
    if claim.last < scene.ended.get(claim.event.evidence.path, 0):
        return False
    calm = claim.says == "note" and informs
    return not calm and not counts_none(claim)


def _mourned(claim: Claim, scene: Scene) -> bool:
    """Whether others miss the process that died of a claim, and nothing goes on below it."""
    return scene.waiting.mourn(claim) and not scene.went_on(claim)


def _recorded(errors: Sequence[Claim], scene: Scene) -> list[Claim]:
    """The last errors recorded in logs that end in the report of a status other than 0, where nothing says more."""
    ends = [claim for claim in errors if closes(claim, scene)]
    last = {end.event.evidence.path: end for end in ends}
    above = {c.event.evidence.path: c for c in errors if record(c) and not (points(c) or scene.went_on(c))}
    return [claim for path, claim in above.items() if path in last and claim.place < last[path].place]


def halts(claim: Claim, scene: Scene) -> bool:
    """Whether a log ends in what may halt a run: nothing goes on below it, nor did it end well."""
    halt = claim.entry is not None and scene.briefs[claim.entry]["halts"]
    path, course = claim.event.evidence.path, scene.course(claim)
    went_on = course.whole or claim.last < max(scene.progress.get(path, 0), scene.ended.get(path, 0))
    return halt and not went_on and (path in scene.progress or course.lines - claim.last <= _HALTED)


def _cause(likely: Claim, evidence: Graph) -> Claim:
    """From the most likely claim up to what is known to cause it: no effect is a root beside its cause."""
    seen = {id(likely)}
    while True:
        known = [edge.cause for edge in evidence.into(likely) if causal(edge) and id(edge.cause) not in seen]
        if not known:
            return likely
        likely = max(known, key=lambda claim: (claim.score, -claim.place[1]))
        seen.add(id(likely))


def _first(likely: Claim, loud: Sequence[Claim], scene: Scene, evidence: Graph) -> Claim:
    """Of several claims of one entry, but one that fits whatever is said, the first of those that fail the log.

    None of those that follow from the likely one, although they stand above it.
    """
    if likely.entry is not None and scene.briefs[likely.entry]["fallback"]:
        return likely
    same = [c for c in loud if c.known and c.id == likely.id and c.score > likely.score / 4]
    same += [c for c in scene.claims if c.id == likely.id and stayed(c, likely)]
    first = min(same or [likely], key=lambda claim: claim.place)
    follows = first is not likely and any(edge.cause is likely for edge in evidence.into(first))
    return likely if follows else first


def _calm(scene: Scene, ranked: Sequence[Claim], likely: Sequence[Claim], complaints: Sequence[Claim] = ()) -> Judged:
    """Nothing that really failed: what looks like a failure is a warning, or harmless where little speaks for it.

    `complaints`: errors with which a program went on.
    """
    for claim in ranked:
        tells = claim in likely and (_tells(claim) or _at_end(claim, scene))
        claim.severity = "warning" if claim.known or tells else "benign"
    unknown = [c for c in ranked if not c.known and not c.event.said.words.isdisjoint(_JUDGED)][:MOST_SUSPECTS]
    unknown += [claim for claim in complaints if claim not in unknown]
    kept = [claim for claim in scene.claims if claim.known or claim in unknown]
    return Judged(tuple(sorted(kept, key=_order)), _suspects(likely))


def _tells(claim: Claim) -> bool:
    """Whether a line that no entry knows is a warning: it calls itself one, or states an event as messages do."""
    said, handled = claim.event.said, 0 < claim.handled >= claim.count
    called = said.level in LOUD or not said.words.isdisjoint(_CALLED)
    states = claim.says == "raise" or said.level == "WARNING"
    return not handled and (called or (states and not said.words.isdisjoint(_EVENT)))


def _at_end(claim: Claim, scene: Scene) -> bool:
    """Whether a claim is one of the last lines of a log that does not say that it ended well."""
    course = scene.course(claim)
    return not course.whole and claim.last in [number for number, _ in course.ends[-_LAST:]]


def _last_error(claim: Claim, scene: Scene) -> bool:
    """Whether a log ends in what a program calls an error, however mildly it is said."""
    said = claim.event.said
    return said.level in LOUD and said.size > HEADER and not claim.handled and _at_end(claim, scene)


def _consequences(root: Claim, errors: Sequence[Claim], evidence: Graph) -> None:
    """What follows from the root, then what follows from something else in the log."""
    below = evidence.below(root)
    for claim in errors:
        if (edge := below.get(id(claim))) is not None:
            claim.role, claim.caused_by, claim.why = "consequence", edge.cause.id, Why(edge.kind, edge.why)
    for claim in errors:
        edge = next(iter(evidence.into(claim)), None) if claim.role == "context" else None
        if edge is not None:
            claim.role, claim.caused_by, claim.why = "consequence", edge.cause.id, Why(edge.kind, edge.why)


def _named(kept: Sequence[Claim], errors: Sequence[Claim]) -> list[Claim]:
    """The causes that consequences name and that would not be shown otherwise."""
    lacking = {claim.caused_by for claim in kept} - {claim.id for claim in kept}
    return [next(claim for claim in errors if claim.id == name) for name in lacking if name is not None]


def _suspects(ranked: Sequence[Claim]) -> tuple[Suspect, ...]:
    """The likeliest lines that could state a failure."""
    shown = [(claim.evidence[0], claim.score) for claim in ranked if _could_state(claim)][:MOST_SUSPECTS]
    return tuple(Suspect(one.path, one.line, one.text[:400], f"likely in {score:.0%}") for one, score in shown)


def _could_state(claim: Claim) -> bool:
    """Whether anybody would read a line as the cause: an entry knows it, or it is no mere note, header or quotation."""
    said = claim.event.said
    if claim.known or claim.score < _FAINT:
        return claim.known
    telling = bool(said.words & _TELLING) or claim.says == "raise" or said.level in LOUD
    calm = said.level in ("INFO", "DEBUG") and claim.score < _MUCH
    return telling and not calm and not counts_none(claim)


def _order(claim: Claim) -> tuple[int, int, float, tuple[float, int], str]:
    roles = {"root": 0, "consequence": 1, "context": 2}
    severities = {"error": 0, "warning": 1, "benign": 2}
    return severities[claim.severity], roles[claim.role], -claim.score, claim.place, claim.id
