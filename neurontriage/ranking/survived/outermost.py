"""A traceback that begins with the program itself: no library caught it, whatever their loggers say below it.

Only what works on, or a word that all is done, shows that the program caught it where it stands.
"""

from __future__ import annotations

from collections import Counter

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import failed
from neurontriage.lines.outlook import done
from neurontriage.lines.voices import kind
from neurontriage.ranking import onward
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import above, known_below

_FEW, _NEAR = 12, 4  # lines that others add while a program ends, and until its status is told
_SOME, _MANY = 3, 6
_TOLD = 2  # lines with which a log ends


def died(claim: Claim, scene: Scene) -> bool:
    """Whether a program died of such a claim: what it said all the time stops there, or a failing status is told."""
    if not _raised(claim):
        return False
    course, last = scene.course(claim), _last(claim)
    if told_at_end(claim, scene):
        return True
    if course.lines - last > _FEW or scene.progress.get(claim.event.evidence.path, 0) > last:
        return False
    below, usual = known_below(last, course), Counter(map(kind, above(claim, course.head)))
    if any(usual[kind(text)] >= _SOME for text in below):
        return False
    halted = max(usual.values(), default=0) >= _MANY and not any(map(done, below))
    return halted or any(map(failed, below[:_NEAR]))


def told_at_end(claim: Claim, scene: Scene) -> bool:
    """Whether the log of such a claim, of one of several programs, ends in the report of a failing status."""
    if "MAIN" not in claim.event.said.words or not _raised(claim):
        return False
    last = [text for line, text in scene.course(claim).ends[-_TOLD:] if line > _last(claim)]
    return any(map(onward.failed, last))


def _raised(claim: Claim) -> bool:
    return claim.says == "raise" and claim.count == 1 and not claim.event.said.level


def _last(claim: Claim) -> int:
    return max(claim.last, claim.event.evidence.end_line)
