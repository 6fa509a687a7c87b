"""What failed and is ignored: a task of Ansible, as its play says below the line of each host; a target of make."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from neurontriage.claims.claim import Claim
from neurontriage.lines.prefix import strip
from neurontriage.model import Course
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import known_lines

_MADE, _IGNORED, _CLOSE = ": *** ", "(ignored)", 4
_NOT_RUN = '"msg": "Error executing command'
_HEAD, _HOST, _IGNORES, _NEXT = "Task failed: ", "fatal: [", "ignoring", ("TASK [", "PLAY ")


def ignored(claims: Sequence[Claim], scene: Scene) -> list[Claim]:
    """The claims that are the head of such a task, or what it says of a host."""
    texts = [(claim, claim.event.evidence.text) for claim in claims]
    told = [claim for claim, text in texts if _HEAD in text or _HOST in text]
    made = [claim for claim, text in texts if _MADE in text and _IGNORED in _near(claim, scene.course(claim))]
    return [*(claim for claim in told if _ignored(claim, scene.course(claim))), *made]


def _near(claim: Claim, course: Course) -> str:
    """The lines right below a claim, as far as they are known."""
    known, line = known_lines(course.head, course.ends), claim.event.evidence.line
    return "\n".join(known.get(at, "") for at in range(line + 1, line + _CLOSE))


def _ignored(claim: Claim, course: Course) -> bool:
    """Whether a claim is such a head, before the next task begins, or line of a host."""
    text, line = _said(claim.event.evidence.text), claim.event.evidence.line
    if not text.startswith((_HEAD, _HOST)):
        return False
    known = {at: _said(one) for at, one in known_lines(course.head, course.ends).items() if at > line}
    if text.startswith(_HOST):  # what could not be run at all brings nothing that is missed below
        return known.get(line + 1) == _IGNORES and _NOT_RUN in text
    task = list(takewhile(lambda text: not text.startswith(_NEXT), (one for _, one in sorted(known.items()))))
    hosts = [place for place, one in enumerate(task) if one.startswith(_HOST)]
    return bool(hosts) and all(task[place + 1 : place + 2] == [_IGNORES] for place in hosts)


def _said(text: str) -> str:
    return strip(text).payload.strip().removeprefix("[ERROR]: ")
