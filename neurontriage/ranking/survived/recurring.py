"""A daemon that does nothing but try the same again, and fails each time to the end of its log, never did it.

That it says that it tries again makes one such failure harmless, not all of them: the last of the tries decides.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.levels import LOUD
from neurontriage.lines.outlook import done
from neurontriage.lines.voices import kind, voice
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene

_OFTEN = 3  # failures that are more than bad luck
_ROUND = 4  # kinds of lines, at most, that one try has
_COUNTS = expression(r"(?i)\b(?:failed|failures|errors?)\"? ?[:=] ?\"?[1-9]")
_CLIENT = Sought(r"\b(?:client|remote|peer)\b.{0,40}\d|\b(?:GET|POST|PUT|HEAD|DELETE) /")
_MILD = frozenset({"QUOTATION", "ZERO", "WARNED"})


def recurs(claim: Claim, scene: Scene) -> bool:
    """Whether an error came back to the end of its log, and nothing but the tries that it ended stands there."""
    said, text = claim.event.said, claim.event.evidence.text
    if claim.count < _OFTEN or said.level not in LOUD or said.words & _MILD or not voice(text):
        return False
    if claim.answered and claim.handled >= claim.count:  # of single requests of a server
        return False
    path, course = claim.event.evidence.path, scene.course(claim)
    if max(marks.get(path, 0) for marks in (scene.progress, scene.ended)) > claim.event.evidence.line:
        return False
    first, last = claim.event.evidence.line, claim.last
    if _CLIENT.search(text) or any(voice(one) not in ("", voice(text)) for line, one in course.ends if line >= first):
        return False  # it is of single clients, or somebody else works on
    tries = [kind(one) for line, one in course.ends if first <= line <= last]
    left = [one for line, one in course.ends if line > last]
    same = (
        tries.count(kind(text)) * _ROUND >= len(tries) > 0
        and len(set(tries)) <= _ROUND
        and {kind(one) for one in left} <= set(tries)
    )
    return same and len(left) < _ROUND and not any(_good(one) for line, one in course.ends if line > first)


def _good(text: str) -> bool:
    """Whether a line says that something is done, and counts nothing that failed."""
    return done(text) and not _COUNTS.search(text)
