"""A log that ends within a traceback of Python: the line that says what was raised is not there any more."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.model import CUT_OFF, Course, Suspect

_HEAD = "Traceback (most recent"
_FRAME = expression(r'\s{1,8}File "[^"\n]{1,400}", line \d')
_REST = expression(r"\s{2,}\S|\s*$")  # a source, a mark below it, what is left of a frame


def cut_off(courses: Mapping[str, Course]) -> tuple[Suspect, ...]:
    """Of each log that ends within a traceback its last whole line: the deepest frame that is known, or the head."""
    found = ((path, _last(course)) for path, course in courses.items())
    return tuple(Suspect(path, line, text.strip(), CUT_OFF) for path, (line, text) in found if line)


def _last(course: Course) -> tuple[int, str]:
    """The last whole line of the traceback in which a log ends; (0, "") where it ends otherwise."""
    ends = list(takewhile(lambda one: _of_traceback(strip(one[1]).payload), reversed(course.ends)))
    headed = any(_HEAD in text for _, text in ends) or len(ends) == len(course.ends) < course.lines
    whole = (one for one in ends if _HEAD in one[1] or _FRAME.match(strip(one[1]).payload))
    return next(whole, (0, "")) if headed else (0, "")


def _of_traceback(said: str) -> bool:
    return _HEAD in said or _REST.match(said) is not None
