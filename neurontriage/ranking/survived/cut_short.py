"""What a program called an error and would go on after, where it did not: nothing but the report of its end follows."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import failed
from neurontriage.lines.prefix import strip
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import known_below
from neurontriage.ranking.statements import worded

_FEW, _NEAR = 6, 2  # lines of reports; of them the first that tells of the end


def cut_short(claim: Claim, scene: Scene) -> bool:
    """Whether an error is the last that was said before the report of a failed end, with which its log ends."""
    if not worded(claim):
        return False
    course, last = scene.course(claim), max(claim.last, claim.event.evidence.end_line)
    if not 0 < course.lines - last <= _FEW:
        return False
    below = known_below(last, course)
    calm = any(strip(text).level in ("INFO", "DEBUG") for text in below)
    return any(map(failed, below[:_NEAR])) and not calm
