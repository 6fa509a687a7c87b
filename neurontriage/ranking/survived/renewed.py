"""One of several alike that was lost and replaced: another with its name and a new number came below, and works.

A replica, a worker or a container is known by its name without the number; it is new where it says nothing above.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.outlook import trouble
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import idles, known_lines, leaves

_WORKS = 3  # lines of the new one
_HEADER = 100  # characters in which whoever speaks is named
# Behind the time of its logger, if there is one, not of what relays it; Ray names it in parentheses.
_ACTOR = expression(
    r"(?:(?!\()[^\n]{0,60}?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z?\]? )?(?:[A-Z]{4,8} +)?"
    r"[(\[]?(?P<name>[A-Za-z][\w:./-]*?(?: pid)?[ :/=_-]?)"
    r"(?P<number>[a-z]?\d{1,8}|[0-9a-f]{4,12}(?:-[0-9a-z]{5})?)[)\]:]? "
)
# The master of a server ends a worker, once, and starts another one (gunicorn), which answers.
_WORKER = Sought(r"\bWORKER TIMEOUT \(pid:|\bWorker \(pid:\d+\) (?:was sent|exited)")
_BOOTS, _SOON, _SERVED = "Booting worker with pid", 6, Sought(r"\" 20\d\b")
_RANKS = Sought(r"(?i)^(?:rank|local_rank|node|host|ip|n|r)[ :/=_-]?$")

Actor = tuple[str, str]


def renewed(claim: Claim, scene: Scene) -> bool:
    """Whether a claim stands between the complaint of one that speaks no more and the first word of the new one."""
    course = scene.course(claim)
    first, last = claim.event.evidence.line, claim.last
    if _WORKER.search(claim.event.evidence.text):
        known = known_lines(course.head, course.ends)
        boots = any(_BOOTS in known.get(line, "") for line in range(last + 1, last + _SOON))
        return boots and claim.count == 1 and any(at > last and _SERVED.search(text) for at, text in known.items())
    return any(begin <= first and last < end for begin, end in losses(course.head, course.ends))


@lru_cache(maxsize=8)
def losses(head: str, last: tuple[tuple[int, str], ...]) -> tuple[tuple[int, int], ...]:
    """Where each one that was lost complained, and where the new one that works came."""
    known = _known(head, last)
    spoken: dict[Actor, list[tuple[int, str]]] = {}
    for line, text, actor in known:
        if actor[1]:
            spoken.setdefault(actor, []).append((line, text))
    return tuple(
        (begin, said[0][0])
        for lost, words in spoken.items()
        if (begin := next((line for line, text in words if trouble(text)), 0))
        for other, said in spoken.items()
        if other[0] == lost[0] and said[0][0] > words[-1][0] and _works([text for _, text in said])
    )


def _works(said: Sequence[str]) -> bool:
    """Whether these lines of one tell of work, and nearly all without a word of trouble."""
    calm = [text for text in said if not (trouble(text) or idles(text) or leaves(text))]
    return len(calm) >= _WORKS and len(calm) * 2 > len(said) and not trouble(said[-1])


def _known(head: str, ends: tuple[tuple[int, str], ...]) -> list[tuple[int, str, Actor]]:
    """The lines that are known of a log, each with its number and who says it."""
    lines = known_lines(head, ends)
    return [(line, text, _actor(text)) for line, text in sorted(lines.items()) if text]


def _actor(text: str) -> Actor:
    """Who says a line: a name, and the number that tells it from others alike; twice nothing where nobody is named."""
    found = _ACTOR.match(text[:_HEADER])
    return (found["name"], found["number"]) if found and not _RANKS.search(found["name"]) else ("", "")
