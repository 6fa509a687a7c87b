"""What a tool prints of a thing as one document, a JSON object: how the thing is now tells, not what it went through.

A job that succeeded lists the tries before its last one, each with the reason why that ended.
"""

from __future__ import annotations

from functools import lru_cache

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.model import Course
from neurontriage.ranking.onward import known_lines

_MEMBER = expression(r'\s*[{"]')
_STATE = expression(r'\s*"(?:status|state|phase|\w{1,30}[sS]tatus)": "(?P<is>[\w -]{1,40})",?\s*$')
_WELL = frozenset({"succeeded", "success", "successful", "completed", "complete", "active", "available", "inservice"})


def described(claim: Claim, course: Course) -> bool:
    """Whether a claim is a member of a document whose thing is well."""
    return _MEMBER.match(claim.event.evidence.text) is not None and _well(course.head, course.ends)


@lru_cache(maxsize=8)
def _well(head: str, ends: tuple[tuple[int, str], ...]) -> bool:
    """Whether the lines that are known of a log are one document, and every state in it a good one."""
    lines = [text for _, text in sorted(known_lines(head, ends).items()) if text.strip()]
    if not lines or lines[0].strip() not in ("{", "[") or lines[-1].strip() not in ("}", "]"):
        return False
    states = [found["is"].lower() for text in lines if (found := _STATE.match(text))]
    return bool(states) and _WELL.issuperset(states)
