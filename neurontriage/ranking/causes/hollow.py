"""An exception that says no more than that it was raised: the sentence right above its traceback is why."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.levels import LOUD
from neurontriage.ranking.causes.sentence import sentence
from neurontriage.ranking.causes.worded import message
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.peers import actor
from neurontriage.ranking.statements import WHY
from neurontriage.ranking.things import names

_FEW = 3  # words of a message that says nothing
_WORD = expression(r"[^\W\d_]{2,}")
_ASIDE = expression(r"\([^()]{0,40}\)|(?<!\w)-?\d{1,6}\b")
_TELLING = frozenset({"AssertionError", "NotImplementedError", "MemoryError", "KeyboardInterrupt", "TimeoutError"})


def hollow(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim is an exception that names no reason, and this one the sentence of its speaker above."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or not one.line < other.line or claim.handled:
        return False
    known = claim.event.said.level in LOUD and particular(claim, scene.briefs)
    if not _says_nothing(likely, scene, any_class=known):
        return False
    if known:
        return not scene.survived(claim)
    calm = claim.says == "note" and "CALM" in claim.event.said.words
    return not calm and actor(claim.event) == actor(likely.event) and sentence([likely], scene) is claim


def _says_nothing(claim: Claim, scene: Scene, any_class: bool) -> bool:
    """Whether all that an exception says is its class, and a few words that name nothing.

    `any_class`: also of classes that mean something where they are raised, if they have words.
    """
    said, fields = claim.event.said, claim.event.fields
    if claim.says == "signal" or "FRAMED" not in said.words or said.level or particular(claim, scene.briefs):
        return False
    name, text = fields.get("exception", "").rpartition(".")[2], message(claim)
    if not name or (name in _TELLING and not (any_class and text)):
        return False
    if not said.words.isdisjoint(WHY - {"REFUSED"}):
        return False
    rest = _ASIDE.sub(" ", text)
    return len(_WORD.findall(rest)) <= _FEW and not names(rest)
