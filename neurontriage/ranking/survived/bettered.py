"""What was run again, and ended better: the last of the lines that tell how one thing ended tells of a good end."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import verdict
from neurontriage.lines.voices import kind
from neurontriage.model import Course
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import known_lines

_ENDS = frozenset({"status", "judgement"})
_WORDS = 3  # of the beginning, by which two lines are of one kind
_SOON = 12  # lines within which it is told how a run ended in which somebody complained


def bettered(claim: Claim, scene: Scene) -> bool:
    """Whether a line soon below a claim tells how its run ended, and the last one like it tells of a good end."""
    course = scene.course(claim)
    last, ends = claim.last, _told(course.head, course.ends)
    own = {kind for line, kind, ill in ends if last <= line <= last + _SOON and ill is not False}
    return any(_well(ill for line, kind, ill in ends if line > last and kind == one) for one in own)


def mended(course: Course) -> bool:
    """Whether any line that is known of a log tells of a good end."""
    return any(ill is False for _, _, ill in _told(course.head, course.ends))


def _well(ends: Iterable[bool | None]) -> bool:
    """Whether the last of several ends is a good one."""
    told = list(ends)
    return len(told) > 1 and told[-1] is False


@lru_cache(maxsize=8)
def _told(head: str, last: tuple[tuple[int, str], ...]) -> list[tuple[int, tuple[str, ...], bool | None]]:
    """The lines that are known of a log, each with its kind, and whether it tells of a bad end, if it tells of one."""
    known = known_lines(head, last)
    ends = ((line, kind(text)[:_WORDS], verdict(text)) for line, text in sorted(known.items()))
    return [
        (line, said, one.ill if one is not None and one.form in _ENDS else None)
        for line, said, one in ends
        if len(said) == _WORDS
    ]
