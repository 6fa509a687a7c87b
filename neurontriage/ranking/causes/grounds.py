"""What everything stands on gave way: an entry names the consequence, a device is at fault, the host has no more of it.

These are asked of every pair of claims: each only where words of the claim say that it may be of that kind.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.ranking.causes.asked import asked
from neurontriage.ranking.causes.beneath import beneath
from neurontriage.ranking.causes.exhausted import exhausted
from neurontriage.ranking.causes.foreseen import foreseen
from neurontriage.ranking.causes.hardware import DEVICES, hardware
from neurontriage.ranking.features import Scene

_ENDS = frozenset({"signal", "wrap"})


def grounds(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether this claim says that what the likely one stands on is lost, be it by the word of the kernel."""
    return beneath(likely, claim, scene) or gave_way(likely, claim, scene)


def gave_way(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether this claim says that what the likely one stands on is lost, for every program alike."""
    if claim.entry is not None and foreseen(likely, claim, scene):
        return True
    event, words = claim.event, claim.event.said.words
    if claim.layer in DEVICES and hardware(likely, claim, scene):
        return True
    told = "REASON" in words or "ERRNO" in words or event.family == "errno"
    if told and claim.says == "raise" and exhausted(likely, claim, scene):
        return True
    ends = claim.says in _ENDS or (claim.layer == "host" and claim.entry is not None and event.said.kind == "statement")
    return ends and likely.event.said.kind == "exception" and asked(likely, claim, scene)
