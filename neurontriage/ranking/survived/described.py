"""What a tool prints of a thing as one document: how the thing is now tells, not what it went through.

A job that succeeded lists the tries before its last one (JSON), a pod that runs and is ready its last state and events.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import known_lines

_ABOVE = 3  # lines in which a document begins: below the command that asked for it
# A document begins: an object, or the name of a pod; below the command that asked for it.
_BEGINS = Sought(r"(?m)(?:^|[\s:\]])(?:[{\[]\s*$|Name: {2,}\S)")
_OF_STATE = expression(r"\s*(?:Last State:|Reason:|Exit Code:|Warning\s)")
_MEMBER = expression(r'\s*[{"]')
_STATE = expression(r'\s*"(?:status|state|phase|\w{1,30}[sS]tatus)": "(?P<is>[\w -]{1,40})",?\s*$')
_WELL = frozenset({"succeeded", "success", "successful", "completed", "complete", "active", "available", "inservice"})


_POD = expression(r"Status:\s+Running\s*$|\s*(?:State:\s+Running|Ready:?\s+True|ContainersReady\s+True)\s*$")
_POD_ILL = expression(
    r"Status:\s+(?!Running)\w|\s*(?:State:\s+(?!Running)\S|Ready:?\s+False|ContainersReady\s+False)"
    r"|\s*(?:Warning|Normal)\s+(?:BackOff|Started|Unhealthy|Killing)\s+\d{1,2}s\b"  # just now
)
_OF_POD = 4  # signs of a pod that is well: its status, its state, that it and its containers are ready


def described(claims: Sequence[Claim], scene: Scene) -> list[Claim]:
    """The claims that are members of a document whose thing is well."""
    paths = {path for path, course in scene.courses.items() if claims and _BEGINS.search(course.head)}
    own = [claim for claim in claims if claim.event.evidence.path in paths] if paths else []
    return [claim for claim in own if _past(claim, scene.course(claim))]


def _past(claim: Claim, course: Course) -> bool:
    """Whether a claim is a member of a document, and all that this says of the present is good."""
    text = strip(claim.event.evidence.text).payload
    if _MEMBER.match(text):
        return _well(course.head, course.ends)
    return _OF_STATE.match(text) is not None and _ready(course.head, course.ends)


@lru_cache(maxsize=8)
def _ready(head: str, ends: tuple[tuple[int, str], ...]) -> bool:
    """Whether the lines that are known of a log say of a pod that it runs and is ready, and of none that it is not."""
    lines = [strip(text).payload for text in known_lines(head, ends).values()]
    return sum(_POD.match(text) is not None for text in lines) >= _OF_POD and not any(map(_POD_ILL.match, lines))


@lru_cache(maxsize=8)
def _well(head: str, ends: tuple[tuple[int, str], ...]) -> bool:
    """Whether the lines that are known of a log are one document, and every state in it a good one."""
    lines = [text for _, text in sorted(known_lines(head, ends).items()) if text.strip()]
    lines = [strip(text).payload for text in lines]
    opens = any(text.strip() in ("{", "[") for text in lines[:_ABOVE])
    if not opens or lines[-1].strip() not in ("}", "]"):
        return False
    states = [found["is"].lower() for text in lines if (found := _STATE.match(text))]
    return bool(states) and _WELL.issuperset(states)
