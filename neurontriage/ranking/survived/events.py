"""Tables of events (Kubernetes): a row warns of what its object lacks, until a row says that the object runs."""

from __future__ import annotations

from collections.abc import Iterator

from neurontriage.claims import steps
from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.model import Course
from neurontriage.ranking.onward import beginning, known_below

_ROW = expression(r"\s*(?:\S{1,12} +)?(?:Normal|(?P<warns>Warning)) +[A-Z]\w{2,40} +\S")


def awaits(claim: Claim, course: Course) -> bool:
    """Whether a log ends in a table of events in which this row warns, and nothing was started."""
    if not _warns(claim):
        return False
    rows = all(_ROW.match(text) for text in known_below(claim.last, course) if text.strip())
    return rows and not any(_started(course))


def _warns(claim: Claim) -> bool:
    row = _ROW.match(claim.event.evidence.text)
    return row is not None and row["warns"] is not None


def _started(course: Course) -> Iterator[str]:
    """The objects that were started, as rows at the beginning or the end of a log say."""
    lines = [*beginning(course.head)[0], *(text for _, text in course.ends)]
    return filter(None, map(steps.ended, lines))
