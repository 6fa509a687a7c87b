"""What a program only warned of, counted, or went on after, gives way to what it died of, or calls an error."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.levels import CALM, LOUD
from neurontriage.ranking.causes.stumbled import worked
from neurontriage.ranking.features import STACK, Scene, particular

_ILL = frozenset({"FAILED", "INABILITY", "MISSING", "REFUSED", "INVALID", "LIMIT", "EXPECTED", "EXCEPTION", "REASON"})
_ENDS = frozenset({"exit", "echo", "note"})


def outdone(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim is none beside this one."""
    if "PROGRESS" in likely.event.said.words and _counts(likely, claim):
        return True
    return "MAIN" in claim.event.said.words and _died(likely, claim, scene)


def _counts(likely: Claim, claim: Claim) -> bool:
    """Whether the likely claim only counts the steps of work, and a program calls this one an error."""
    said = likely.event.said
    counts = likely.entry is None and said.level not in LOUD and not said.words & _ILL
    return counts and claim.event.said.level in LOUD and claim.says not in _ENDS


def _died(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether a program died of the claim, and the likely one is calm, or of something that it went on after."""
    one, other = claim.event, likely.event
    if one.said.level or claim.says != "raise" or claim.handled:
        return False
    if one.evidence.path != other.evidence.path or "FRAMED" in other.said.words or likely.tried:
        return False
    if other.said.level in CALM or other.said.kind == "warned":
        return not (particular(likely, scene.briefs) and likely.layer in STACK)
    went = likely.last < one.evidence.line and worked(likely, scene.progress)
    return went and other.said.level in LOUD and likely.entry is None
