"""A sentence that was broken by hand goes on in the next line: what failed stands in the first of them."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.ranking.features import Scene
from neurontriage.ranking.statements import fails

# How a sentence goes on, and how one ends.
_GOES_ON = expression(
    r"(?:because|due to|since|caused by|as|by|which|that|with|while|of|to|in|from|for|on|at|or|and) [a-z]"
)
_ENDS = expression(r".*(?:[.!?:;)\]}>=*-]|\d)\s*$")


def continued(likely: Claim, claim: Claim, _: Scene) -> bool:
    """Whether the likely claim only goes on with the sentence of this one, which tells of a failure right above it."""
    here, there = likely.event.evidence, claim.event.evidence
    if here.path != there.path or here.line != there.end_line + 1 or likely.event.process != claim.event.process:
        return False
    below, above = strip(here.text).payload.strip(), strip(there.text).payload
    plain = likely.event.family in ("text", "plain") and not likely.event.said.level
    return plain and fails(claim) and _GOES_ON.match(below) is not None and not _ENDS.match(above)
