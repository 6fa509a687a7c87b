"""The text of a difference between two versions: lines that a hunk `@@ -1,3 +1,9 @@` counts are of no run."""

from __future__ import annotations

from functools import lru_cache

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.model import Course

_HEAD = expression(r"@@ -\d{1,7}(?:,(?P<old>\d{1,5}))? \+\d{1,7}(?:,(?P<new>\d{1,5}))? @@")

_SIGNS = ("", " ", "+", "-", "\\")


def of_hunk(claim: Claim, course: Course) -> bool:
    """Whether all lines of a claim stand in such texts."""
    found = hunks(course.head, course.ends)
    return any(first < claim.event.evidence.line and claim.last <= last for first, last in found)


@lru_cache(maxsize=8)
def hunks(head: str, ends: tuple[tuple[int, str], ...]) -> tuple[tuple[int, int], ...]:
    """The first and the last line of each hunk that is known of a log."""
    if "@@ -" not in head and not any("@@ -" in text for _, text in ends):
        return ()
    lines = dict(ends) | dict(enumerate(head.splitlines()[:-1], 1))
    return tuple((line, _last(line, found, lines)) for line, text in lines.items() if (found := _counts(text)))


def _counts(text: str) -> tuple[int, int] | None:
    """How many lines the old and the new text have in a hunk, as its head says."""
    found = _HEAD.match(strip(text).payload) if "@@ -" in text else None
    return (int(found["old"] or 1), int(found["new"] or 1)) if found else None


def _last(line: int, counts: tuple[int, int], lines: dict[int, str]) -> int:
    """The last line of a hunk that begins at a line: as many as are counted, or fewer where it is cut."""
    old, new = counts
    while old > 0 or new > 0:
        text = lines.get(line + 1, "")
        sign = (text if text[:1] in _SIGNS else strip(text).payload)[:1]
        if sign not in _SIGNS:
            return line
        old, new = old - (sign in ("", " ", "-")), new - (sign in ("", " ", "+"))
        line += 1
    return line
