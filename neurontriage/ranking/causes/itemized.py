"""A report lists all that failed, each behind the same sign: its head says nothing, and a mere wait less than an error.

Who creates several things at once waits for one in vain because another could not be made, wherever that one is listed.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.statements import WHY

_BELOW, _FAR = 12, 40  # lines from the head of a list to an item of it, and between two items
# What each item of a report stands behind: a bullet, a number, the word for an error, with or without a frame.
_SIGN = expression(r"\s*(?:[│|] {1,3})?(?P<sign>(?i:error): |[*•‣-] {1,2}|\d{1,3}[.)] )(?=\S)")
_HEADS = Sought(
    r"(?i)^\W{0,8}(?:error: )?(?:(?:the )?(?:following|\d{1,4}|multiple|several|these|some) )?(?:\w+ )?"
    r"(?:errors?|problems?|failures?)(?:\(s\))?"
    r"(?: (?:(?:have|has|were|was) )?(?:occurred|found|detected|reported|raised))?: ?$"
)
_WAITED = Sought(
    r"(?i)\btime(?:d)?[- ]?out\b.{0,60}\bwait\w*|\bwait\w*\b.{0,160}\b(?:time(?:d)?[- ]?out|deadline|exceeded)\b"
    r"|\bcontext deadline exceeded\b|\bwait\w* for \S.{0,80}\b(?:0|no) (?:\w+ )?(?:ready|available|running)\b"
)
_REPORTS = frozenset({"exit", "echo", "note"})
_TELLS = (WHY - {"REFUSED"}) | {"INABILITY", "EXCEPTION"}


def itemized(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim heads a list, or only waited in vain, and this one is an item that says why."""
    one, other = claim.event.evidence, likely.event.evidence
    far = one.line - other.line
    if not 0 < abs(far) <= _FAR or one.path != other.path or claim.says in _REPORTS or claim.handled:
        return False
    if claim.event.said.words.isdisjoint(_TELLS) or not (sign := _sign(one.text)) or particular(likely, scene.briefs):
        return False
    if _HEADS.search(strip(other.text).payload):
        return 0 < far <= _BELOW
    return sign == _sign(other.text) and _waits(other.text) and not _waits(one.text)


def _sign(text: str) -> str:
    """The sign behind which an item of a report stands; a number stands for all."""
    found = _SIGN.match(strip(text).payload)
    return "" if found is None else "1" if found["sign"][0].isdigit() else found["sign"].strip().lower()


def _waits(text: str) -> bool:
    """Whether a line says that something was waited for in vain."""
    return _WAITED.search(text) is not None
