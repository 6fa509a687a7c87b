"""What depends on what failed repeats the reason behind words of its own: who gave it first, and shorter, says why."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.messages import words_of

_LEAST, _WORDS = 24, 4  # characters and words of a reason that two lines have in common by no chance
_MEMBER = expression(r'\s*"[\w.@-]{1,60}": ')  # of an object in JSON that is printed over several lines
_NO_STATEMENT = frozenset({"exit", "echo", "note"})


def retold(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim ends in the reason that this one, above it, gives behind fewer words."""
    one, other = claim.event.evidence, likely.event.evidence
    if (
        not one.line < other.line
        or len(other.text) <= len(one.text)
        or one.path != other.path
        or claim.says in _NO_STATEMENT
        or claim.handled
        or ("UNHIT" in claim.event.said.words and _MEMBER.match(one.text))
    ):
        return False
    if ": " not in one.text or "FRAMED" in likely.event.said.words or particular(likely, scene.briefs):
        return False
    reason, lead = _reason(claim)
    at = words_of(_said(likely)).find(reason) if reason else -1
    return at > lead


def _reason(claim: Claim) -> tuple[str, int]:
    """What a claim says behind its first colon, folded, and how much stands before that; "" where it is little."""
    lead, colon, reason = _said(claim).partition(": ")
    folded = words_of(reason)
    if not colon or len(folded) < _LEAST or len(folded.split()) < _WORDS:
        return "", 0
    return folded, len(words_of(lead)) + 1


def _said(claim: Claim) -> str:
    return claim.event.fields.get("message", "") or claim.event.evidence.text
