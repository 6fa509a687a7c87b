"""A traceback that begins with the program itself: no library caught it, whatever their loggers say below it.

Only what works on, or a word that all is done, shows that the program caught it where it stands.
"""

from __future__ import annotations

from collections import Counter

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import failed
from neurontriage.lines.outlook import done
from neurontriage.lines.voices import kind
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import above, known_below

_FEW, _NEAR = 12, 4  # lines that others add while a program ends, and until its status is told
_SOME, _MANY = 3, 6


def died(claim: Claim, scene: Scene) -> bool:
    """Whether a program died of such a claim: what it said all the time stops there, or a failing status is told."""
    said = claim.event.said
    if said.level or claim.says != "raise" or claim.count > 1:
        return False
    course, last = scene.course(claim), max(claim.last, claim.event.evidence.end_line)
    if course.lines - last > _FEW or scene.progress.get(claim.event.evidence.path, 0) > last:
        return False
    below, usual = known_below(last, course), Counter(map(kind, above(claim, course.head)))
    if any(usual[kind(text)] >= _SOME for text in below):
        return False
    halted = max(usual.values(), default=0) >= _MANY and not any(map(done, below))
    return halted or any(map(failed, below[:_NEAR]))
