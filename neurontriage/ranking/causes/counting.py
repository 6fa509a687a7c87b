"""An exception that only counts the errors of a compiler: what the compiler itself called an error above says why."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene

_COUNTS = Sought(
    r"(?i)\b(?:with|due to|because of|after|reported|generated|found|encountered|emitted) (?:\d+|one|several) errors?"
    r"(?: generated| found)?\W*$|^\W*(?:error: )?\d+ errors? (?:generated|found|detected|emitted)\W*$"
)
_NEAR = 60  # lines from a diagnostic, with what it shows of the source, to the end of the traceback below


def counting(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim only counts errors, and this one, not far above it, is one of them."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or not 0 < other.line - one.line <= _NEAR or not counts(likely) or counts(claim):
        return False
    diagnostic = claim.event.said.kind == "located" or not claim.event.said.words.isdisjoint(("DIAGNOSTIC", "LABEL"))
    return diagnostic and claim.says == "raise" and not claim.handled and not scene.survived(claim)


def counts(claim: Claim) -> bool:
    """Whether a claim says how many errors there were, and not which."""
    return _COUNTS.search(claim.event.evidence.text) is not None
