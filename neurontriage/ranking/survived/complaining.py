"""The last words of a program that was typed at a prompt: it says its own name, and then what is wrong."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.prefix import strip
from neurontriage.model import Course
from neurontriage.ranking.causes.sentence import plain

_LAST = 1  # lines that may stand below
_LEAST = 3  # words of a complaint


def complains(claim: Claim, course: Course) -> bool:
    """Whether a log ends in a sentence behind the name of a program that was started in it, as commands complain."""
    if not course.prompts or course.lines - claim.last > _LAST:
        return False
    name, colon, said = strip(claim.event.evidence.text).payload.partition(": ")
    if not colon or len(said.split()) < _LEAST:
        return False
    started = {_base(word) for _, program, _ in course.prompts for word in program.split()[:2]}
    return _base(name) in started and plain(claim, course)


def _base(word: str) -> str:
    """The name of a program, without its folder."""
    return word.rpartition("/")[2]
