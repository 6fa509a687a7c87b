"""The last that a program called an error, right above the report of its end: it is why, however mildly it is said."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import failed
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.statements import HEADER

_NEAR = 3  # lines from the one to the other
_REPORTS = frozenset({"exit", "wrap", "echo"})
_MILD = frozenset({"QUOTATION", "ZERO", "HEADING"})


def parting(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim only reports a failed end, right below this one, an error."""
    one, other, said = claim.event.evidence, likely.event.evidence, claim.event.said
    if one.path != other.path or not 0 < other.line - max(one.end_line, claim.last) <= _NEAR:
        return False
    if said.size <= HEADER or said.words & _MILD or claim.says in _REPORTS - {"wrap"}:
        return False
    reports = likely.says in _REPORTS and failed(other.text) and not particular(likely, scene.briefs)
    return reports and not failed(one.text) and not claim.answered
