"""A command whose status was asked for, and was 0: whatever it complained of, it did not fail."""

from __future__ import annotations

import bisect

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.model import Course
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import known_lines

_ASKS = expression(r"(?:.*[;&] ?)?echo [\"']?(?P<head>[^\"'$|;&]{0,40})\$\?[\"']?\s*$")
_MAKE, _UNMADE = expression(r"(?:\w+=\S+ )*make\b[^|;&]*$"), expression(r"make(?:\[\d+\])?: \*\*\*")
_SPARED = expression(r"\|\| ?(?:true|:|exit 0|echo\b.*)\s*$")  # whatever becomes of it, the script goes on
_PIPED = expression(r"[^|]\|(?!\|)|[^&]&\s*(?:;|$)|\|\| ?(?:true|:)")  # the status is of another command, or of none


def ended_zero(claim: Claim, scene: Scene) -> bool:
    """Whether a claim stands below a command at a prompt that ended with status 0, as it was then asked for."""
    course = scene.course(claim)
    at = bisect.bisect_right(course.prompts, claim.event.evidence.line, key=lambda one: one[0]) - 1
    if claim.says == "signal" or not course.prompts:
        return False
    if at < 0:  # what was run stands above the excerpt
        return _ASKS.match(course.prompts[0][2]) is not None and _zero(course, 0, course.prompts[0][2])
    command = course.prompts[at][2]
    if "||" in command and _SPARED.search(command):
        return True
    if _MAKE.match(command) and at + 1 < len(course.prompts):
        return _made(course, course.prompts[at][0], course.prompts[at + 1][0])
    if _ASKS.match(command):  # the status is printed below all that the command says
        return _PIPED.search(command) is None and _zero(course, at, command)
    below = course.prompts[at + 1][2] if at + 1 < len(course.prompts) else ""
    return _PIPED.search(command) is None and _ASKS.match(below) is not None and _zero(course, at + 1, below)


def _made(course: Course, first: int, last: int) -> bool:
    """Whether make, between two prompts, did not say that it failed, as it always does."""
    known = known_lines(course.head, course.ends)
    lines = [known.get(line) for line in range(first + 1, last)]
    return None not in lines and not any(map(_UNMADE.match, map(str, lines)))


def _zero(course: Course, at: int, command: str) -> bool:
    """Whether the last line below a prompt is the status 0 that its command asks for."""
    asked, known = _ASKS.match(command), known_lines(course.head, course.ends)
    end = course.prompts[at + 1][0] - 1 if at + 1 < len(course.prompts) else course.lines
    below = next(
        (known[line].strip() for line in range(end, course.prompts[at][0], -1) if known.get(line, "").strip()), ""
    )
    return asked is not None and below == f"{asked['head']}0"
