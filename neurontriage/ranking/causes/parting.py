"""The last that a program called an error, right above the report of its end: it is why, however mildly it is said."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import failed
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.statements import worded

_NEAR = 3  # lines from the one to the other
_REPORTS = frozenset({"exit", "wrap", "echo"})


def parting(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim only reports a failed end, right below this one, an error."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or not 0 < other.line - max(one.end_line, claim.last) <= _NEAR:
        return False
    reports = likely.says in _REPORTS and failed(other.text) and not particular(likely, scene.briefs)
    return reports and worded(claim) and not failed(one.text) and not claim.answered
