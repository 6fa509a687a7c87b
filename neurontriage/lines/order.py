"""In which order the rows of a log stand: what shows the newest one first is read from its end.

CloudWatch (console, Insights, exports), Loki, Kibana and `journalctl -r` do so. Times are compared as digits, so that
no calendar is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from neurontriage.expressions import expression

LEAST = 4
"""How often times must fall before it is believed."""
_RISES = 0.05
"""How many of the steps may go the other way: a collector puts what came late where it came."""
_NAMES = b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
_MONTHS = {name: b"%02d" % number for number, name in enumerate(_NAMES.split())}
_TIME = expression(
    rb"[\[(\"]?(?:(?P<date>\d{4}[-/]\d\d[-/]\d\d)[T ](?P<clock>\d\d:\d\d:\d\d)(?:[.,](?P<part>\d{1,9}))?"
    rb"|(?P<since>1[5-9]\d{8}(?:\d{9}|\d{6}|\d{3}|\.\d{1,9})?)(?![\w.:/-])"
    rb"|(?P<month>[A-Z][a-z]{2}) {1,2}(?P<day>\d{1,2})(?:, (?P<year>\d{4}) @)? (?P<hour>\d\d:\d\d:\d\d)"
    rb"(?:\.(?P<rest>\d{1,9}))?)"
)


def stamp(text: bytes) -> bytes:
    """The time at the start of a text, as what can be compared with others of its form; b"" for none."""
    if (found := _TIME.match(text)) is None:
        return b""
    date, clock, part, since, month, day, year, hour, rest = found.groups(b"")
    if since:
        return since.replace(b".", b"").ljust(19, b"0")
    if date:
        return b" ".join((date.replace(b"/", b"-"), clock, part.ljust(9, b"0")))
    number = _MONTHS.get(month)
    return b" ".join((year, number, day.rjust(2, b"0"), hour, rest.ljust(9, b"0"))) if number else b""


def falling(times: Sequence[bytes]) -> bool:
    """Whether times fall from row to row, of which some may be the same, and so often that it is no accident."""
    falls = rises = 0
    for above, below in pairwise(times):
        falls, rises = falls + (below < above), rises + (below > above)
    return falls >= LEAST and rises <= _RISES * falls
