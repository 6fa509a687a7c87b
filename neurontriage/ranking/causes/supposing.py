"""A notice that something ended or could not start, and lists what that may come of, does not know why.

What is a fact beside it, a signal with its name or a reason of its own, is why: the notice is printed by whoever only
saw the end, mostly before what the one that died has said is passed on.
"""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import Claim
from neurontriage.claims.guesses import heads_list, supposed
from neurontriage.expressions import expression
from neurontriage.lines.levels import CALM
from neurontriage.lines.prefix import strip
from neurontriage.ranking.features import Scene
from neurontriage.ranking.statements import WHY

_NEAR = 24  # lines between the notice and the fact
_ITEM = expression(r"\s*(?:[*•·–-]|\(?(?:\d{1,2}|[a-z])[.)]) +\S")
_MOST = 32  # lines of a list of causes
_BELOW = 3  # lines between the notice and the heading of its list
_ENDS = frozenset({"FAILED", "INABILITY", "WRAP", "EXIT", "HEADING"})
_FACTS = (WHY - {"EXPECTED"}) | {"SIGNALLED", "SIGNAL"}
_MILD = frozenset({"CALM", "ZERO", "QUOTATION", "SUCCESS", "WARNED", "TEARDOWN", "INDENTED"})


def supposing(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim only supposes why something ended, and this one, near it, states a fact."""
    here, there = likely.event.evidence, claim.event.evidence
    if here.path != there.path or not 0 < abs(here.line - there.line) <= _NEAR or not _fact(claim):
        return False
    said = likely.event.said
    ends = not said.words.isdisjoint(_ENDS) and not (likely.says == "raise" and "FRAMED" in said.words)
    return ends and not scene.survived(claim) and supposes(likely, scene.claims)


def supposes(claim: Claim, claims: Sequence[Claim]) -> bool:
    """Whether a claim lists what may have happened, in its own line or right below it."""
    text, at = claim.event.fields.get("message") or claim.event.evidence.text, claim.event.evidence
    if supposed(text) or supposed(at.text):
        return True
    near = (c.event.evidence for c in claims if 0 < c.event.evidence.line - at.end_line <= _BELOW)
    return any(one.path == at.path and bool(supposed(one.text)) for one in near)


def _fact(claim: Claim) -> bool:
    """Whether a claim says what happened, and supposes nothing itself."""
    said = claim.event.said
    if said.level in CALM or said.words & _MILD or said.kind == "warned" or claim.handled:
        return False
    states = claim.says in ("raise", "signal") or "SIGNALLED" in said.words
    return states and bool(said.words & _FACTS) and not supposed(claim.event.evidence.text)


def listed(claims: Sequence[Claim]) -> list[Claim]:
    """Of the claims, in their order, the lines of such lists: they say what may have happened."""
    found: list[Claim] = []
    heads: dict[tuple[str, str | None, str | None], int] = {}
    for claim in claims:
        event = claim.event
        key, line = (event.evidence.path, event.process, event.host), event.evidence.line
        payload = strip(event.evidence.text).payload
        if heads_list(payload):
            heads[key] = line
        elif key in heads:
            if line - heads[key] > _MOST or not ("INDENTED" in event.said.words or _ITEM.match(payload)):
                del heads[key]
            else:
                found.append(claim)
    return found
