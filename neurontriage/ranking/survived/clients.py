"""A server of many clients: what it says of one session is no failure of its own, where it goes on with the others.

Each line names its session by a number that a process has, or a connection. A session is one of many, and short.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.outlook import trouble
from neurontriage.lines.voices import clock
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import idles, known_lines, leaves

_SESSIONS = 5  # that a server has at least
_SHORT = 4  # lines that one session has
_WORKS = 3  # lines of others, without a word of trouble
_LONG, _DAY = 60, 24 * 3600  # seconds
_BESIDE = 2  # lines from what is said of a request to its line in the log of accesses
_ACCESS = r'"(?:GET|POST|PUT|PATCH|DELETE|HEAD) [^"\n]{1,200}" '
_REFUSED, _SERVED = Sought(_ACCESS + r"4\d\d\b"), Sought(_ACCESS + r"2\d\d\b")
_HEADER = 120  # characters in which a session is named
_SESSION = expression(
    r"[\w@)-]?\[(\d{2,7})\][: ]|\*(\d{2,9}) |\b(?:conn(?:ection)?|session|client|req(?:uest)?)[-_ #:=]{1,2}(\d{2,9})\b"
)
# A database refuses one statement of one client (PostgreSQL), and says something of itself.
_QUERY = Sought(r"\d [A-Z]{3,5} \[\d{1,7}\](?: \S{1,60})? ERROR:  \S")
_LOGS = Sought(r" \[\d{1,7}\](?: \S{1,60})? LOG:  \S")
# Whoever says this ends itself, not a session.
_OWN_END = Sought(
    r"\bPANIC\b|(?i:\bout of memory\b|\bno space left\b|\binput/output error\b|\binvalid page\b"
    r"|\bshutting down\b|\bdata(?:base)? (?:is )?corrupt)"
)


def of_client(claim: Claim, scene: Scene) -> bool:
    """Whether a claim is of one session of a server that goes on below it, for long."""
    course = scene.course(claim)
    text, line = claim.event.evidence.text, claim.event.evidence.line
    if _QUERY.search(text) and not _OWN_END.search(text):
        return any(at > line and _LOGS.search(said) for at, said, _ in _known(course.head, course.ends))
    own = _session(text)
    if not own or _OWN_END.search(text) or "FRAMED" in claim.event.said.words:
        return False
    known = _known(course.head, course.ends)
    if sum(one == own for _, _, one in known) > _SHORT:
        return False
    below = [
        said
        for at, said, one in known
        if at > line and one != own and not (trouble(said) or idles(said) or leaves(said))
    ]
    return len(below) >= _WORKS and _lasts(text, below[-1])


def refused(claims: Sequence[Claim], scene: Scene) -> list[Claim]:
    """The claims beside requests that a server refused for the fault of its clients, where it serves others below."""
    known = {path: _accesses(scene.courses[path]) for path in {claim.event.evidence.path for claim in claims}}
    own = [(claim, claim.event.evidence) for claim in claims if "MAIN" not in claim.event.said.words]
    return [claim for claim, where in own if known[where.path].refused and known[where.path].beside(where.line)]


class _Accesses(NamedTuple):
    """Where a server says that it refused requests, and the last line where it served one."""

    refused: Sequence[int]
    served: int

    def beside(self, line: int) -> bool:
        """Whether a line stands beside a refused request, and another is served below."""
        return line < self.served and any(abs(at - line) <= _BESIDE for at in self.refused)


def _accesses(course: Course) -> _Accesses:
    if not _REFUSED.search(course.head + "".join(dict(course.ends).values())):
        return _Accesses((), 0)
    lines = known_lines(course.head, course.ends).items()
    served = max((at for at, text in lines if _SERVED.search(text)), default=0)
    return _Accesses([at for at, text in lines if _REFUSED.search(text)], served)


def many(course: Course) -> bool:
    """Whether the lines that are known of a log name many sessions, or are of a database."""
    if _QUERY.search(course.head):
        return True
    return len({one for _, _, one in _known(course.head, course.ends)} - {""}) >= _SESSIONS


def _lasts(text: str, last: str) -> bool:
    """Whether so much time lies between two lines that whoever went on did not only end."""
    here, there = clock(text), clock(last)
    return here is not None and there is not None and (there - here) % _DAY > _LONG


@lru_cache(maxsize=8)
def _known(head: str, ends: tuple[tuple[int, str], ...]) -> list[tuple[int, str, str]]:
    """The lines that are known of a log, each with its number and its session."""
    lines = known_lines(head, ends)
    return [(line, text, _session(text)) for line, text in sorted(lines.items()) if text]


def _session(text: str) -> str:
    """The session of which a line is; "" where it names none."""
    found = _SESSION.search(text[:_HEADER])
    return next(filter(None, found.groups()), "") if found else ""
