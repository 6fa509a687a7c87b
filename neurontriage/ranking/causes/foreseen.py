"""An entry names what its failure brings about: where both stand in one log, what it names gives way to it."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.claims.interrupt import stops
from neurontriage.ranking.features import Scene


def foreseen(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the entry of this claim names the likely one of the same log, below it, as a consequence.

    What halts a run may be told before its work ends, or after it; so may what a cluster did to it.
    """
    brief = scene.briefs[claim.id]
    if claim.handled or likely.id not in brief["explains"] or claim.event.evidence.path != likely.event.evidence.path:
        return False
    if stops(claim):
        return False
    return brief["halts"] or claim.layer == "kubernetes" or (claim.place < likely.place and not scene.went_on(claim))
