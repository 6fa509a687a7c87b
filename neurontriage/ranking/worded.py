"""An exception without a message, and the one raised while it was handled that says in words what happened."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.claims.interrupt import stops

_PLACES = ("AssertionError", "NotImplementedError")  # where they stand says what they mean
_LEAST = 3  # words of a message that says something


def worded(claim: Claim, mute: Claim) -> bool:
    """Whether a claim says what the mute one, an exception of its chain from which it was raised, has no words for."""
    (chain, place), (inner, deeper) = claim.event.chain, mute.event.chain
    if not chain or chain != inner or place <= deeper or stops(mute) or _message(mute):
        return False
    if _class(mute).endswith(_PLACES):
        return False
    return len(_message(claim).split()) >= _LEAST


def _class(claim: Claim) -> str:
    return claim.event.fields.get("exception", "")


def _message(claim: Claim) -> str:
    """What an exception says besides its class."""
    said = claim.event.fields.get("message", "")
    return "" if said == _class(claim) else said
