"""The last sentence of a program, right above what only reports its end: it calls itself no error, and says why.

It says how something is, not what is done, and says it once: a line of the kind of those above it, a step, a good word
or an indented piece of something is none.
"""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import Claim
from neurontriage.facts.beyond import beyond
from neurontriage.lines.outlook import done
from neurontriage.lines.prefix import strip
from neurontriage.lines.voices import kind
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import above, idles, leaves
from neurontriage.ranking.statements import record

_NEAR = 3  # lines above the report in which it stands
_LEAST = 3  # words of a sentence
# How something is, what it is not, or how it stands to something else.
_IS = Sought(
    r"(?i)\b(?:is|are|was|were|has|have|had|does|do|did|can|could|may|might|must|should|would|needs?|wants?|holds?|lists?"
    r"|contains?|belongs?|differs?|takes?|knows?|names?|covers?|asks?|ends?|ended|ran|went|came|left|expects?|gives?|gave"
    r"|not|no|none|never|nobody|nothing|only|before|than|instead|where|while|but|without|already|unexpectedly|overlaps?)"
    r"\b[^=]*$"
    r"|\b(?:problems?|duplicate|conflict\w*|non-?exist\w+|attempt(?:ed|s)? to|overflow|underflow|mismatch)\b"
)
_NONE = frozenset(
    {"SUCCESS", "ENDED", "PROGRESS", "CALM", "QUOTATION", "CONTINUATION", "EXIT", "WRAP", "RULE", "HEADING"}
)


def sentence(reports: Sequence[Claim], scene: Scene) -> Claim | None:
    """The claim that is the last sentence above the first of those that only report the end of a log."""
    first = min(reports, key=lambda one: one.place)
    line, path = first.event.evidence.line, first.event.evidence.path
    near = [c for c in scene.errors if c.event.evidence.path == path and 0 < line - c.event.evidence.line <= _NEAR]
    found = [
        claim
        for claim in near
        if claim.count == 1 and claim not in reports and plain(claim, scene.course(claim)) and not _below(claim, scene)
    ]
    return max(found, key=lambda one: one.place, default=None)


def _below(claim: Claim, scene: Scene) -> bool:
    """Whether a claim is a warning, below an error that a program recorded."""
    path, warning = claim.event.evidence.path, claim.event.said.level == "WARNING"
    errors = (c for c in scene.errors if c.event.evidence.path == path and c.place < claim.place and record(c))
    return warning and any(not c.handled for c in errors)


def plain(claim: Claim, course: Course) -> bool:
    """Whether a claim is a sentence of its own among the last lines of a log."""
    text, said = claim.event.evidence.text, claim.event.said
    payload = strip(text).payload
    if said.words & _NONE or payload[:1].isspace() or payload.startswith("#") or len(payload.split()) < _LEAST:
        return False
    before = [*above(claim, course.head), *(one for line, one in course.ends if line < claim.event.evidence.line)]
    new = kind(text) not in {(), *map(kind, before)}
    stated = _IS.search(payload) is not None or beyond(text)
    return new and stated and not (done(text) or idles(text) or leaves(text))
