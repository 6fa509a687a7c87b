"""Somebody gives up, and names no reason: a value that is not what it may be says why, wherever it stands above."""

from __future__ import annotations

from collections.abc import Mapping

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import verdict
from neurontriage.expressions import expression
from neurontriage.facts.beyond import beyond
from neurontriage.lines.levels import LOUD
from neurontriage.lines.prefix import strip
from neurontriage.ranking.causes.stumbled import NOWHERE, worked
from neurontriage.ranking.statements import WHY
from neurontriage.ranking.things import names

FEW = 3
"""Lines of a kind that are said of every unit, not of one."""
_REASON = frozenset({"REASON", "LIMIT", "INVALID", "ASSERTION", "STATUS", "FRAMED", "SIGNALLED"})
_MILD = frozenset({"ZERO", "QUOTATION", "SUCCESS", "PROGRESS", "ENDED"})
_UNSAID = frozenset({"INABILITY", "FAILED", "REFUSED", "MISSING", "WRAP", "EXIT", "TEARDOWN"})
_TOLD = (WHY - {"REFUSED", "MISSING", "ERRNO"}) | {"FRAMED"}
_THING = expression(r".*[\d_./]")


def broke(end: Claim, claim: Claim, progress: Mapping[str, int] = NOWHERE) -> bool:
    """Whether a claim states a value beyond its bound, and an end below it names no reason."""
    one, other = claim.event, end.event
    if one.evidence.path != other.evidence.path or not one.evidence.line < other.evidence.line:
        return False
    return oversteps(claim) and gives_up(end) and not worked(claim, progress)


def oversteps(claim: Claim) -> bool:
    """Whether a claim states, once, a value beyond its bound."""
    said = claim.event.said
    once = claim.count < FEW and not claim.handled and said.level not in ("INFO", "DEBUG")
    return once and not said.words & _MILD and beyond(claim.event.evidence.text)


def gives_up(claim: Claim) -> bool:
    """Whether a claim says only that something is not done, or ended: it names neither a reason nor a thing.

    A number is no reason.
    """
    said, text = claim.event.said, claim.event.evidence.text
    failed = not said.words.isdisjoint(_UNSAID)
    if said.words & _REASON or (said.kind == "exception" and not failed) or beyond(text):
        return False
    return mute(claim) or (failed and not any(map(_THING.match, names(strip(text).payload))))


def mute(claim: Claim) -> bool:
    """Whether a claim is the report of an end, or is called an error, and has no word of a reason."""
    said, text = claim.event.said, claim.event.evidence.text
    if said.words & _TOLD or "NRT_" in text or beyond(text):
        return False
    if said.level in LOUD and said.words.isdisjoint(WHY | _UNSAID):
        return True  # whatever it says
    judged = verdict(text)
    return judged is not None and judged.ill
