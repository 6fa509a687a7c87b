"""What happens below a complaint decides: whoever works on to the end of the log has survived what it said before.

What a claim needs to be passed over (`need`) and what is seen below it (`proof`) stand on one scale: somebody speaks on
calmly, works on, works on and to a good end.  Where a log ends soon below a claim, nothing is proved.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import verdict
from neurontriage.lines.prefix import strip
from neurontriage.lines.voices import kind, loud, voice
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.onward import above, idles, known_below, reported
from neurontriage.ranking.steps_below import rises

_REPORTS = frozenset({"exit", "wrap", "echo", "signal", "note", "state"})
_STACK = frozenset({"compiler", "runtime", "driver", "collectives"})
_FEW, _SOME, _MANY = 2, 3, 5
_START = 12  # lines in which a program starts
_LAST = 3  # lines of which one who speaks to the end of a log has one
# A server answers what somebody wants of it; whether it lives is asked of dead ones, too.
_ANSWERS = Sought(r"\b(?:GET|POST|PUT|PATCH|DELETE)\b.*\b20[0-4]\b|\b20[0-4] (?:GET|POST|PUT|PATCH|DELETE)\b")
_PROBES = Sought(r"(?i)/(?:metrics|health\w*|live\w*|ready\w*|ping|status|version)\b")


class Weight(IntEnum):
    """How much is seen below a claim, or has to be."""

    NOTHING = 0
    SPEAKS = 1
    WORKS = 2
    ENDS_WELL = 3
    NEVER = 4


def outlived(loud: Sequence[Claim], scene: Scene) -> list[Claim]:
    """The claims below which it is seen that nobody died of them. `loud`: all that would fail the log.

    From the last one up: what fails a log fails for itself, and above it work may have gone on.
    """
    lived, left = list[Claim](), list[Claim]()
    for claim in sorted(loud, key=lambda one: one.place, reverse=True):
        needed = need(claim, scene)
        dead = needed == Weight.NEVER or proof(claim, left, scene) < needed
        (left if dead else lived).append(claim)
    return lived


def told_apart(rest: Sequence[Claim]) -> bool:
    """Whether what is left says for itself why a log failed, or that nothing did; a report alone may be of anything."""
    return not rest or any(claim.says not in _REPORTS for claim in rest)


def need(claim: Claim, scene: Scene) -> Weight:
    """How much has to be seen below a claim: more of what a program dies of than of what it only warns of."""
    said, warns = claim.event.said, claim.event.said.level == "WARNING"
    if said.level == "FATAL" or claim.says in ("signal", "exit") or "SIGNALLED" in said.words:
        return Weight.NEVER
    if claim.layer in _STACK and claim.entry is not None:
        return Weight.ENDS_WELL if warns else Weight.NEVER
    if "FRAMED" in said.words:
        return Weight.WORKS if said.level or strip(claim.event.evidence.text).level else Weight.ENDS_WELL
    return Weight.SPEAKS if warns and not particular(claim, scene.briefs) else Weight.WORKS


def proof(claim: Claim, later: Sequence[Claim], scene: Scene) -> Weight:
    """What is seen below a claim, above the first of those that fail the log `later`."""
    course, path = scene.course(claim), claim.event.evidence.path
    last = claim.event.evidence.line if claim.count == 1 else claim.last
    places = [one.event.evidence.line for one in later if one.event.evidence.path == path]
    stated = any(one.says not in _REPORTS for one in later)
    below = known_below(last, course, min((line for line in places if line > last), default=None))
    if not stated and any(map(_ill, below)):
        return Weight.NOTHING
    calm = [text for text in below if not loud(text)]
    well = max(scene.success.get(path, 0), scene.ended.get(path, 0)) > last or stated
    before = above(claim, course.head)
    if rises(calm, _MANY, before) or (well and rises(calm, _SOME, before)) or _served(calm) >= _SOME:
        return Weight.ENDS_WELL
    if rises(calm, _SOME, before) or _served(calm) >= _FEW or _started(claim, calm, before):
        return Weight.WORKS
    return Weight.SPEAKS if _speaks(claim, calm) else Weight.NOTHING


def _ill(text: str) -> bool:
    """Whether a line says that something failed, by its level or in words of an end."""
    said = verdict(text)
    return loud(text) or reported(text) or (said is not None and said.ill)


def _served(below: Sequence[str]) -> int:
    return sum(_ANSWERS.search(text) is not None and not _PROBES.search(text) for text in below)


def _started(claim: Claim, below: Sequence[str], before: Sequence[str]) -> bool:
    """Whether a program that complains while it starts then does one thing after the other."""
    own = voice(claim.event.evidence.text)
    later = [text for text in below if own and voice(text) == own and not idles(text)]
    return len(before) < _START and len(later) >= _SOME and len(set(map(kind, later))) >= _SOME


def _speaks(claim: Claim, below: Sequence[str]) -> bool:
    """Whether the voice of a claim speaks on calmly, to the end of the log."""
    own = voice(claim.event.evidence.text)
    same = [voice(text) == own and not idles(text) for text in below]
    return bool(own) and sum(same) >= _FEW and any(same[-_LAST:])
