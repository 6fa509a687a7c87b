"""A device says that its memory, or a part of it, is at fault: what waits for it, or only has its status, follows.

One device of many: the ranks on the others tell of a time-out, often before the one whose device failed says anything.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.levels import CALM
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.relayed import MILD, carrier
from neurontriage.ranking.features import Scene
from neurontriage.ranking.peers import waits

_AT_FAULT = Sought(
    r"(?i)\buncorrectable\b.{0,40}\b(?:error|memory|ECC)\b|\b(?:error|memory|ECC)\b.{0,40}\buncorrectable\b"
    r"|\bNEURON_HW_ERR=\w"
)
DEVICES = frozenset({"runtime", "driver", "collectives"})
"""Layers that speak of devices."""
_TAKEN_BACK = MILD - {"CALM"}  # the runtime advises in the same line what to do with the device
_SOON = 1800.0  # seconds of which a time-out of peers is no longer


def hardware(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim waits, or only has a status, and this one says which device is at fault."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or claim.handled:
        return False
    said = claim.event.said
    if not _AT_FAULT.search(one.text) or said.level in CALM or said.words & _TAKEN_BACK or scene.survived(claim):
        return False
    if _AT_FAULT.search(other.text) or (claim.time and likely.time and abs(claim.time - likely.time) > _SOON):
        return False
    status = carrier(likely, scene.briefs) and bool(likely.event.said.words & {"STATUS", "NRT"})
    plain = likely.layer in DEVICES and (likely.entry is None or likely.layer == "collectives")
    return status or plain or waits(likely, scene.briefs)
