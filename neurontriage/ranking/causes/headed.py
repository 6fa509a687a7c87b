"""A build tool names the step that failed, and no reason: what that step said, right below its name, is why.

Other steps of the same build end below it: that they do well undoes nothing.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.prefix import strip
from neurontriage.model import Event
from neurontriage.ranking.features import Scene
from neurontriage.ranking.statements import WHY, calms

_TARGET, _HEAD = ("build", "target"), "FAILED: "
_FAR = 40  # lines that a step says
_TELLS = WHY | {"INABILITY", "SIGNALLED", "LABEL", "DIAGNOSTIC", "EXCEPTION"}
_NO_REASON = frozenset({"exit", "echo", "note"})


def headed(likely: Claim, claim: Claim, _scene: Scene) -> bool:
    """Whether the likely claim is the name of a failed step, and this one what the step said."""
    return of_step(likely, claim) and not claim.handled


def of_step(head: Claim, claim: Claim) -> bool:
    """Whether a claim tells what is wrong, right below the name of a step that failed."""
    one, other = head.event, claim.event
    if one.kind != "target" or claim.says in _NO_REASON or not names_step(head) or names_step(claim):
        return False
    if one.evidence.path != other.evidence.path or calms(claim) or other.said.words.isdisjoint(_TELLS):
        return False
    named = [event.evidence.line for event in (one, *(match.event for match in head.kept)) if _names(event)]
    return any(0 < other.evidence.line - line <= _FAR for line in named)


def names_step(claim: Claim) -> bool:
    """Whether a claim may name a step that failed."""
    return (claim.event.family, claim.event.kind) == _TARGET


def _names(event: Event) -> bool:
    """Whether a line only names a step that failed."""
    return strip(event.evidence.text).payload.startswith(_HEAD)
