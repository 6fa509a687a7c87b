"""The last sentence of a program, right above what only reports its end: it calls itself no error, and says why.

It says how something is, not what is done, and says it once: a line of the kind of those above it, a step, a good word
or an indented piece of something is none.
"""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import Claim
from neurontriage.lines.outlook import done
from neurontriage.lines.prefix import strip
from neurontriage.lines.voices import kind
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import above, idles, leaves

_NEAR = 3  # lines above the report in which it stands
_LEAST = 4  # words of a sentence
# How something is.
_IS = Sought(r"(?i)\b(?:is|are|was|were|has|have|had|needs?|wants?|holds?|lists?|contains?|belongs?|differs?)\b[^=]*$")
_NONE = frozenset(
    {"SUCCESS", "ENDED", "PROGRESS", "CALM", "QUOTATION", "CONTINUATION", "EXIT", "WRAP", "RULE", "HEADING"}
)


def sentence(reports: Sequence[Claim], scene: Scene) -> Claim | None:
    """The claim that is the last sentence above the first of those that only report the end of a log."""
    first = min(reports, key=lambda one: one.place)
    line, path = first.event.evidence.line, first.event.evidence.path
    near = [c for c in scene.errors if c.event.evidence.path == path and 0 < line - c.event.evidence.line <= _NEAR]
    found = [
        claim for claim in near if claim.count == 1 and claim not in reports and _plain(claim, scene.course(claim))
    ]
    return max(found, key=lambda one: one.place, default=None)


def _plain(claim: Claim, course: Course) -> bool:
    """Whether a claim is a sentence of its own among the last lines of a log."""
    text, said = claim.event.evidence.text, claim.event.said
    payload = strip(text).payload
    if said.words & _NONE or payload[:1].isspace() or payload.startswith("#") or len(payload.split()) < _LEAST:
        return False
    before = [*above(claim, course.head), *(one for line, one in course.ends if line < claim.event.evidence.line)]
    new = kind(text) not in {(), *map(kind, before)}
    return new and _IS.search(payload) is not None and not (done(text) or idles(text) or leaves(text))
