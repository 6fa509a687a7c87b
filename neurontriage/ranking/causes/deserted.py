"""Nobody answers a client: the server had ended before, with a failing status, and said right above that why."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import failed
from neurontriage.lines.levels import LOUD
from neurontriage.ranking.features import Scene
from neurontriage.ranking.statements import WHY, unanswered

_NEAR = 4  # lines from the last words of a server to the report of its end
_MILD = frozenset({"ZERO", "QUOTATION", "SUCCESS", "PROGRESS", "CALM"})


def deserted(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether nobody answered the likely claim, and this one is what a process said before it was reported to fail."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or not claim.last < other.line or not unanswered(likely):
        return False
    if claim.handled or unanswered(claim) or not _says(claim) or scene.survived(claim):
        return False
    upto = min(claim.last + _NEAR, other.line - 1)
    ends = (end.event.evidence for end in scene.claims if end.says in ("exit", "wrap"))
    return any(end.path == one.path and claim.last < end.line <= upto and failed(end.text) for end in ends)


def _says(claim: Claim) -> bool:
    """Whether a claim says what is wrong, and is no remark."""
    said = claim.event.said
    if claim.says in ("exit", "echo", "note", "wrap") and said.level not in ("ERROR", "FATAL", "WARNING"):
        return False
    return not said.words & _MILD and (said.level in LOUD or bool(said.words & (WHY | {"INABILITY", "LABEL"})))
