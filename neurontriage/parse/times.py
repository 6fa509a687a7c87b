"""Times as logs print them → seconds, so that lines of several logs can be put in order.

Zones are not compared: instances run on UTC unless told otherwise, and most formats print no zone.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from neurontriage.expressions import expression

_NUMERIC = expression(r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d):(\d\d)(?:[.,](\d+))?")
_NAMED = expression(r"(\d{4}-[A-Z][a-z]{2}-\d\d \d\d:\d\d):(\d\d)(?:\.(\d+))?")
_AMERICAN = expression(r"(\d\d)/(\d\d)/(\d{4}) (\d\d):(\d\d:\d\d) ([AP])M")
_NAMES = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
_MONTHS = {name: number for number, name in enumerate(_NAMES.split(), 1)}


def seconds(text: str | None) -> float | None:
    """Seconds since 1970 as if the time were UTC, None for what is no full time (a clock without a day, say)."""
    try:
        return _of(text) if text else None
    except ValueError:  # more digits than a number may have
        return None


def _of(text: str) -> float | None:
    if text[2:3] == "/" and (american := _AMERICAN.match(text)):
        month, day, year, hour, rest, half = american.groups()
        text = f"{year}-{month}-{day} {int(hour) % 12 + (12 if half == 'P' else 0):02}:{rest}"
    found = _NUMERIC.match(text) or _NAMED.match(text)
    return since_1970(*found.groups()) if found else None


def since_1970(minute: str, second: str, fraction: str | None) -> float | None:
    """Seconds of a time in parts: the date up to its minute, and digits; None for one that no clock shows.

    Raises ValueError where the digits are more than a number may have.
    """
    begin = _minute(minute)
    if begin is None or (after := int(second)) > 59:
        return None
    return begin + after + _fraction(fraction) if fraction else begin + after


@lru_cache(maxsize=1024)
def _minute(text: str) -> float | None:
    """Seconds from 1970 to the beginning of a minute, None for one that no calendar has; many lines are of the same."""
    year, month, day, hour, minute = text[:4], text[5:-9], text[-8:-6], int(text[-5:-3]), int(text[-2:])
    try:
        of_year = date(int(year), _MONTHS.get(month) or int(month), int(day))
    except ValueError:
        return None
    if hour > 23 or minute > 59:
        return None
    return (of_year - date(1970, 1, 1)).days * 86400.0 + hour * 3600 + minute * 60


def _fraction(digits: str) -> float:
    """The part of a second. Old runtimes print milliseconds as four digits: `.0294` is 294 ms."""
    return int(digits) / 1000 if len(digits) == 4 and digits.startswith("0") else int(digits) / 10 ** len(digits)
