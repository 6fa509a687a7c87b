"""The row of a checklist that ends in a word for bad, among others that do not: why whoever read it stops."""

from __future__ import annotations

from functools import lru_cache

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.ranking.causes.stumbled import worked
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.onward import known_lines

_MUTE = frozenset({"UNHIT", "LABEL", "PATH", "SETTING"})  # words of a line that gives no reason
_FEW, _FAR = 2, 120  # rows that are good, and lines between a row and the end
_GOOD = r"(?:ok|okay|pass(?:ed)?|good|healthy|ready|up|yes|✓|✔|✅)"
_BAD = r"(?:bad|fail(?:ed|ure)?|nok|ko|not ok|error|broken|unhealthy|down|no|✗|✘|✖|❌)"
_FRONT = rf"\[\s?(?:{_GOOD}|{_BAD})\s?\]\s+\S|[✓✔✅✗✘✖❌]\s+\S"
_ROW = expression(rf"(?i)(?:.{{8,300}}(?:\s{{2}}|[.:|]\s?|\t)\[?(?:{_GOOD}|{_BAD})\]?$|{_FRONT})")
_ILL = expression(rf"(?i)(?:.*\W\[?{_BAD}\]?$|\[\s?{_BAD}\s?\]\s+\S|[✗✘✖❌])")


def outlier(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim only says that something ends or is not begun, below the bad row of a checklist."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or not 0 < other.line - one.line <= _FAR or claim.handled or claim.count > 1:
        return False
    payload = strip(one.text).payload
    if not _bad(payload) or _bad(strip(other.text).payload) or particular(likely, scene.briefs):
        return False
    stated = likely.says == "raise" and not likely.event.said.words <= _MUTE
    if stated or worked(claim, scene.progress):
        return False
    course = scene.course(claim)
    return _good_rows(course.head, course.ends) >= _FEW


def _bad(payload: str) -> bool:
    return _ROW.match(payload) is not None and _ILL.match(payload) is not None


@lru_cache(maxsize=8)
def _good_rows(head: str, ends: tuple[tuple[int, str], ...]) -> int:
    """How many rows of a log that are known end in a word for good."""
    rows = (strip(text).payload for text in known_lines(head, ends).values())
    return sum(_ROW.match(row) is not None and not _ILL.match(row) for row in rows)
