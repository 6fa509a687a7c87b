"""A traceback that whoever caught it printed, and said below it what becomes of the thing that its message names."""

from __future__ import annotations

from collections.abc import Mapping

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.outlook import trouble
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import beginning, known_lines
from neurontriage.ranking.things import names

_BECOMES = Sought(
    r"(?i)\b(?:stays?|remains?|left|kept|keeping|skip\w*|drop\w*|ignor\w*|replac\w*|fill\w*|us(?:es|ed|ing)|instead"
    r"|will be|later|again|next|without|continu\w*|mov(?:es|ed|ing)|empty)\b"
)
_TRACE = "Traceback (most recent call last)"
_FAR = 120  # lines of the tracebacks of one chain
_NUMBERED = expression(r"([A-Za-z][A-Za-z_]{2,30})[ #=:_-]{1,2}(\d{1,9})\b")


def remarked(claim: Claim, scene: Scene) -> bool:
    """Whether a traceback, or the last one raised from it, has such a remark below it."""
    said = claim.event.said
    if "FRAMED" not in said.words or said.level or claim.count > 1:
        return False
    chain = claim.event.chain[0]
    linked = [one for one in scene.raised if one.event.chain[0] == chain > 0] or [claim]
    return _remark(max(linked, key=lambda one: one.last), scene.course(claim))


def _remark(claim: Claim, course: Course) -> bool:
    """Whether a calm line right below a claim says what becomes of what it names."""
    head, below = beginning(course.head)[0], claim.event.evidence.line + 1
    text = head[below - 1] if below <= len(head) else dict(course.ends).get(below, "")
    if not text.strip() or text[:1].isspace() or trouble(text) or not _BECOMES.search(strip(text).payload):
        return False
    own = _named(claim.event.evidence.text) | _named(_tried(claim, known_lines(course.head, course.ends)))
    return not own.isdisjoint(_named(text))


def _tried(claim: Claim, lines: Mapping[int, str]) -> str:
    """The line above the traceback that ends in a claim, as far as it is known: it says what was tried."""
    last = claim.event.evidence.line
    first = next((line for line in range(last - 1, last - _FAR, -1) if _TRACE in lines.get(line, "")), 0)
    return lines.get(first - 1, "")


def _named(text: str) -> frozenset[object]:
    """The things that a line names, and what it numbers."""
    numbered = ((word.lower(), number) for word, number in _NUMBERED.findall(strip(text).payload))
    return names(text) | frozenset(numbered)
