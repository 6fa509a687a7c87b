"""A closing line counts what failed of many, or names the step: the line above that says why is of the one that did."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.words import Sought
from neurontriage.ranking.detailed import bare
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.statements import tells

_NEAR = 12  # lines from the member to the closing line
_BEGUN = 2
_WHOLE = Sought(
    r"(?i)\b\d+ (?:of|out of|/) ?\d+\b|\b[1-9]\d* (?:\w+ ){0,2}(?:failed|cannot|(?:could |were |was |did )?not)\b"
    r"|\b(?:steps?|stages?|phases?|builds?|targets?|tasks?|jobs?|pipelines?|suites?|clusters?|stacks?|deployments?|releases?"
    r"|rollouts?|installations?|creations?|updates?|upgrades?|set-?ups?|provisioning|runs?|services|nodes|groups|resources)\b"
)


def member(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim only closes a step, or counts what failed of many, and this one says why one did."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or not 0 < other.line - claim.last <= _NEAR or claim.handled:
        return False
    if scene.progress.get(one.path, 0) > claim.last + _BEGUN or particular(likely, scene.briefs):
        return False
    if not bare(likely) or not _WHOLE.search(other.text) or not tells(claim):
        return False
    between = (
        c for c in scene.claims if c.event.evidence.path == one.path and one.line < c.event.evidence.line < other.line
    )
    return not any(map(tells, between))
