"""A log of several files, each below its name (`==> path <==`): their order is none of time.

Who was refused in one of them, or waited in vain, fails because somebody else fails on and on in another, to its end.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence

from neurontriage.claims.claim import Claim
from neurontriage.lines.levels import CALM, LOUD
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.statements import WHY, unanswered

_OFTEN = 3  # failures that are more than bad luck
_LAST = 4  # lines of which one is near the end of a file
_SAYS = WHY | {"INABILITY", "FAILED"}
_MILD = frozenset({"ZERO", "QUOTATION", "SUCCESS", "PROGRESS"})


def unserved(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether nobody answered the likely claim, and this one is the first of what fails on in another file."""
    path = claim.event.evidence.path
    files = scene.files.get(path, ())
    if not files or likely.event.evidence.path != path or not unanswered(likely) or particular(likely, scene.briefs):
        return False
    own = bisect(files, claim.event.evidence.line)
    if own == bisect(files, likely.event.evidence.line) or not _fails_on(claim, files, scene):
        return False
    same = (one for one in scene.claims if one.event.evidence.path == path and _fails_on(one, files, scene))
    return min(same, key=lambda one: one.place, default=claim) is claim


def _fails_on(claim: Claim, files: Sequence[int], scene: Scene) -> bool:
    """Whether a claim comes again and again to the end of its file, and is what a program calls an error."""
    said, at = claim.event.said, bisect(files, claim.event.evidence.line)
    if claim.count < _OFTEN or claim.says != "raise" or said.words & _MILD or said.level in CALM or unanswered(claim):
        return False
    called = said.level in LOUD or "LABEL" in said.words
    end = files[at] if at < len(files) else scene.course(claim).lines + 1
    return called and bool(said.words & _SAYS) and end - claim.last <= _LAST and bisect(files, claim.last) == at
