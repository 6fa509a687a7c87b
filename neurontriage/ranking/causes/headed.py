"""A line heads what failed, and gives no reason: what stands right below it is why.

A build tool names the step that failed; that other steps of the same build do well below it undoes nothing. A service
gives a status without a word of its own (`AlgorithmError:`), and then what it carries.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.levels import LOUD
from neurontriage.lines.prefix import strip
from neurontriage.model import Event
from neurontriage.ranking.features import Scene
from neurontriage.ranking.statements import WHY, calms

_HEAD = "FAILED: "
_FAR = 40  # lines that a step says
_TELLS = WHY | {"INABILITY", "SIGNALLED", "LABEL", "DIAGNOSTIC", "EXCEPTION"}
_NO_REASON = frozenset({"exit", "echo", "note"})


def headed(likely: Claim, claim: Claim, _scene: Scene) -> bool:
    """Whether the likely claim only heads what failed, and this one is what that said."""
    return of_head(likely, claim) and not claim.handled


def of_head(head: Claim, claim: Claim) -> bool:
    """Whether a claim tells what is wrong, right below a line that only heads it."""
    if head.event.kind != "target" and (head.says != "wrap" or "HEADING" not in head.event.said.words):
        return False  # nearly all: two lines of a log are asked for each other
    if claim.says in _NO_REASON or not heads(head) or heads(claim):
        return False
    one, other, said = head.event.evidence, claim.event.evidence, claim.event.said
    if one.path != other.path or calms(claim):
        return False
    if head.says == "wrap":
        return 0 < other.line - one.line <= _FAR and (said.level in LOUD or not said.words.isdisjoint(_TELLS))
    named = [event.evidence.line for event in (head.event, *(match.event for match in head.kept)) if _names(event)]
    return not said.words.isdisjoint(_TELLS) and any(0 < other.line - line <= _FAR for line in named)


def heads(claim: Claim) -> bool:
    """Whether a claim may name a step that failed, or is a status without a word of its own."""
    event = claim.event
    if event.kind == "target":
        return event.family == "build"
    status = claim.says == "wrap" and event.said.kind == "exception" and "HEADING" in event.said.words
    return status and event.fields.get("message") == f"{event.fields.get('exception')}:"


def _names(event: Event) -> bool:
    """Whether a line only names a step that failed."""
    return strip(event.evidence.text).payload.startswith(_HEAD)
