"""What stands before and after a claim in its log: a reason stands below its heading, an exit behind its failure."""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import Claim

Features = dict[str, float]


def neighbours(errors: Sequence[Claim], says: Sequence[str], place: int) -> Features:
    """Features of the claim at this place; `errors` in the order of the logs, each with what it says."""
    claim = errors[place]
    before = errors[place - 1] if place and _one_log(errors[place - 1], claim) else None
    after = errors[place + 1] if place + 1 < len(errors) and _one_log(claim, errors[place + 1]) else None
    found = {"heading": _headed(claim), "before:nothing": float(before is None), "next:nothing": float(after is None)}
    if before is not None:
        found |= {f"before:{says[place - 1]}": 1.0, "below heading": _headed(before)}
    if after is not None:
        found[f"next:{says[place + 1]}"] = 1.0
    return found


def _one_log(claim: Claim, other: Claim) -> bool:
    return claim.event.evidence.path == other.event.evidence.path


def _headed(claim: Claim) -> float:
    return float("HEADING" in claim.event.said.words)
