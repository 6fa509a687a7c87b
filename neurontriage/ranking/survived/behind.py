"""Several logs of one job: one that stops in the middle of its steps, while others of its kind count further."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from neurontriage.lines.voices import kind
from neurontriage.model import Course
from neurontriage.ranking.survived.steps_below import steps, values

_LAST = 2  # lines of which one is a step where a log stops in the middle


def left_behind(courses: Iterable[Course]) -> bool:
    """Whether a log ends in steps that others of these count further: nobody says why, but it did not end well."""
    logs = [course for course in courses if course.ends]
    if len(logs) < 2:
        return False
    found = [(course, steps([text for _, text in course.ends])) for course in logs]
    return any(_stops(course) and _behind(own, [other for _, other in found]) for course, own in found if own)


def _stops(course: Course) -> bool:
    return bool(steps([text for _, text in course.ends[-_LAST:]]))


def _behind(own: list[str], logs: Iterable[list[str]]) -> bool:
    """Whether the last step of a log is counted further in another one, by a number that rises in its own."""
    mine = [values(text) for text in own if kind(text) == kind(own[-1])]
    counters = [n for n, column in enumerate(zip(*mine, strict=False)) if len(mine) > 1 and _rises(column)]
    others = [values(text) for one in logs if one is not own for text in one if kind(text) == kind(own[-1])]
    return any(len(one) > n and one[n] > mine[-1][n] for n in counters[:1] for one in others)


def _rises(column: Iterable[float]) -> bool:
    return all(one < other for one, other in pairwise(column))
