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
    if not text:
        return None
    try:
        return _of(text)
    except ValueError:
        return None


def _of(text: str) -> float | None:
    if american := _AMERICAN.match(text):
        month, day, year, hour, rest, half = american.groups()
        text = f"{year}-{month}-{day} {int(hour) % 12 + (12 if half == 'P' else 0):02}:{rest}"
    if found := _NUMERIC.match(text) or _NAMED.match(text):
        second = int(found[2])
        return _minute(found[1]) + second + _fraction(found[3]) if second < 60 else None
    return None


@lru_cache(maxsize=1024)
def _minute(text: str) -> float:
    """Seconds from 1970 to the beginning of a minute; many lines are of the same."""
    year, month, day, hour, minute = text[:4], text[5:-9], text[-8:-6], int(text[-5:-3]), int(text[-2:])
    if hour > 23 or minute > 59:
        raise ValueError(text)
    number = _MONTHS.get(month) or int(month)
    return (date(int(year), number, int(day)) - date(1970, 1, 1)).days * 86400.0 + hour * 3600 + minute * 60


def _fraction(digits: str | None) -> float:
    """The part of a second. Old runtimes print milliseconds as four digits: `.0294` is 294 ms."""
    if not digits:
        return 0.0
    return int(digits) / 1000 if len(digits) == 4 and digits.startswith("0") else int(digits) / 10 ** len(digits)
