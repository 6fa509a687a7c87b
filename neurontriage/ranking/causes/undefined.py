"""A name that is not defined: the cell, or the statement, that was to define it failed above, and says why."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import known_lines

_MISSED = expression(r"name '(?P<name>\w{1,60})' is not defined")
# Where IPython points at a line of the cell, and where somebody typed one.
_STATEMENT = expression(r"\s*(?:-{2,6}> \d{1,5} |In \[\d{1,5}\]: |>>> )(?P<left>[\w, ]{1,120}?) ?=(?!=)")
_FAR = 80  # lines of a traceback


def undefined(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim misses the name that a statement in the traceback of this one was to define."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or one.line >= other.line or claim.event.said.kind != "exception":
        return False
    missed = _MISSED.search(other.text)
    if missed is None:
        return False
    course = scene.course(claim)
    lines = known_lines(course.head, course.ends)
    above = (strip(lines.get(line, "")).payload for line in range(one.line - 1, max(0, one.line - _FAR), -1))
    defined = (found["left"].replace(" ", "").split(",") for text in above if (found := _STATEMENT.match(text)))
    return any(missed["name"] in names for names in defined)
