"""An entry names what its failure brings about: where both stand in one log, what it names gives way to it."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.claims.interrupt import stops
from neurontriage.ranking.features import Scene, particular

_PART = ("layer:", "family:")


def foreseen(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the entry of this claim, above the likely one in the same log, names that as a consequence."""
    if claim.entry is None or claim.handled or stops(claim) or claim.place > likely.place:
        return False
    if claim.event.evidence.path != likely.event.evidence.path or particular(likely, scene.briefs):
        return False
    brief = scene.briefs[claim.id]
    if brief["role"] != "root" or scene.went_on(claim):
        return False
    named = brief["explains"]
    layers = likely.entry is None or scene.briefs[likely.id]["general"]
    return likely.id in named or (layers and f"layer:{likely.layer}" in named)
