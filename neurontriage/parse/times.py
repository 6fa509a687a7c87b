"""Times as logs print them → seconds, so that lines of several logs can be put in order.

Zones are not compared: instances run on UTC unless told otherwise, and most formats print no zone.
"""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

_NUMERIC = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?")
_NAMED = re.compile(r"(\d{4})-([A-Z][a-z]{2})-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?")
_AMERICAN = re.compile(r"(\d\d)/(\d\d)/(\d{4}) (\d\d):(\d\d):(\d\d) ([AP])M")
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
    if found := _NUMERIC.match(text):
        year, month, day, *clock = found.groups()
        return _epoch((int(year), int(month), int(day)), clock[:3], clock[3])
    if found := _NAMED.match(text):
        year, name, day, *clock = found.groups()
        return _epoch((int(year), _MONTHS.get(name, 0), int(day)), clock[:3], clock[3])
    if found := _AMERICAN.match(text):
        month, day, year, hour, minute, second, half = found.groups()
        hour = str(int(hour) % 12 + (12 if half == "P" else 0))
        return _epoch((int(year), int(month), int(day)), [hour, minute, second], None)
    return None


def _epoch(day: tuple[int, int, int], clock: list[str], fraction: str | None) -> float:
    hour, minute, second = (int(part) for part in clock)
    if hour > 23 or minute > 59 or second > 59:
        raise ValueError(clock)
    return _midnight(day) + hour * 3600.0 + minute * 60 + second + _fraction(fraction)


@lru_cache(maxsize=64)
def _midnight(day: tuple[int, int, int]) -> float:
    """Seconds from 1970 to the beginning of a day; logs are of few days."""
    return (date(*day) - date(1970, 1, 1)).days * 86400.0


def _fraction(digits: str | None) -> float:
    """The part of a second. Old runtimes print milliseconds as four digits: `.0294` is 294 ms."""
    if not digits:
        return 0.0
    return int(digits) / 1000 if len(digits) == 4 and digits.startswith("0") else int(digits) / 10 ** len(digits)
