"""What a claim states: that something failed, or what is wrong."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.levels import CALM

WHY = frozenset({"REASON", "ERRNO", "MISSING", "REFUSED", "INVALID", "LIMIT", "EXPECTED", "ASSERTION", "STATUS"})
"""Words of a reason."""
_MILD = frozenset({"CALM", "ZERO", "QUOTATION", "SUCCESS", "WARNING", "WARNED", "PROGRESS", "TEARDOWN"})
_FAILING = WHY | {"INABILITY", "FAILED", "WRAP", "EXIT", "NRT", "SIGNALLED", "TEARDOWN"}


def fails(claim: Claim) -> bool:
    """Whether a claim says that something failed, or ended."""
    return claim.event.said.kind == "exception" or not claim.event.said.words.isdisjoint(_FAILING)


def tells(claim: Claim) -> bool:
    """Whether a claim says what is wrong, and that it is no mere remark."""
    said = claim.event.said
    return said.level not in CALM and said.kind != "warned" and not said.words & _MILD and bool(said.words & WHY)


def counts_none(claim: Claim) -> bool:
    """Whether a line only quotes a failure, or counts none; who tells of a killed process counts other things."""
    words = claim.event.said.words
    return "QUOTATION" in words or words & {"ZERO", "SIGNALLED"} == {"ZERO"}
