"""A task of Ansible that failed and that its play ignores: it says so below the line of each host."""

from __future__ import annotations

from itertools import takewhile

from neurontriage.claims.claim import Claim
from neurontriage.model import Course
from neurontriage.ranking.onward import known_lines

_HEAD, _HOST, _IGNORES, _NEXT = "[ERROR]: Task failed", "fatal: [", "...ignoring", ("TASK [", "PLAY ")


def ignored(claim: Claim, course: Course) -> bool:
    """Whether a claim is the head of such a task, before the next one begins, or what it says of a host."""
    text = claim.event.evidence.text
    if not text.startswith((_HEAD, _HOST)):
        return False
    known = known_lines(course.head, course.ends)
    if text.startswith(_HOST):
        return known.get(claim.event.evidence.line + 1) == _IGNORES
    below = [text for at, text in sorted(known.items()) if at > claim.event.evidence.line]
    task = list(takewhile(lambda text: not text.startswith(_NEXT), below))
    hosts = [place for place, text in enumerate(task) if text.startswith(_HOST)]
    return bool(hosts) and all(task[place + 1 : place + 2] == [_IGNORES] for place in hosts)
