"""A program or its launcher was asked to end, or a shell stopped in its script: what is raised on the way out follows.

A shell stops at a variable without a value, where it was told to; what it still runs is the trap at its exit.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.stumbled import worked
from neurontriage.ranking.features import Scene, particular

# By the launcher, which is the first that it reaches: what a rank died of before, it would have told.
_ASKED = Sought(
    r"\b[Rr]eceived (?:15|Signals\.SIGTERM\S*|SIGTERM) death signal, shutting|\b[Rr]eceived signal:? 15\b"
    r"|: (?:line )?\d+: [\w$]+: (?:unbound variable|parameter (?:null or )?not set)$"
)
_WITHIN = 30.0  # seconds that whoever asks lets a program have before it is killed


def asked(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim, an exception, was raised by a program that this one, above it, says was to end."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or not claim.last < other.line:
        return False
    if particular(likely, scene.briefs) or worked(claim, scene.progress) or not _ASKED.search(one.text):
        return False
    return not (claim.time and likely.time) or 0 <= likely.time - claim.time <= _WITHIN
