"""Who says a line, as far as it shows before the text: the process that is named, or the form of a logger's header.

Two lines of one program have the same voice; what relays lines (a time before lines of any form) gives them none.
"""

from __future__ import annotations

from neurontriage.expressions import expression
from neurontriage.lines.levels import ANY, LOUD
from neurontriage.lines.prefix import strip
from neurontriage.lines.remembered import remembered

_SEEN = 120  # characters of a line in which a header is looked for
_TIME = expression(
    r"(?:(?P<iso>\d{4}-(?:\d\d|[A-Z][a-z]{2})-\d\d[T ])|\d{4}/\d\d/\d\d "
    r"|\d\d?[-/](?:\d\d|[A-Z][a-z]{2})(?:[-/]\d{2,4})? |\d\d? [A-Z][a-z]{2} \d{4} |[A-Z][a-z]{2} [ \d]\d "
    r"|(?<=[IWEF])\d{4} )?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
)
_CLOCK = expression(r"(?:(?<![\d:])|(?<=\d{4}:))(\d\d):(\d\d):(\d\d)(?![\d:])")
_LEVEL = expression(rf"\b(?i:{ANY})\b|\b[IWEF](?=0000 )|(?<=\[)[IWEFDC](?= 00)")
_KEY = expression(r'"([\w@$]{1,40})": ?')
_LOUD = expression(
    r"(?:error|fatal|critical|panic)(?:\[\d+\])?: |[EF]\d{4} \d\d:\d\d:|\[(?:[EF] |(?:ERROR|FATAL)\] )|[EF]! "
)
_DIGIT = expression(r"\d")
_WORD = expression(r"[^\W\d]{3,}")
_SITE = expression(r"^[IWEF]\d{4} \S+ +\d+ \S+\] ")
_KEYS, _WORDS = 3, 4


@remembered(1024)
def voice(text: str) -> str:
    """The voice of a line; "" where it has none.

    >>> voice("Sep 14 03:00:07 n1 kubelet[22]: E0914 a") == voice("Sep 14 04:10:00 n1 kubelet[23]: Started")
    True
    >>> voice("[2026-09-14T03:00:07.1] error: no port"), voice("2026-09-14T03:00:07Z error: of anybody")
    ('[0000-00-00T00:00:00.0]', '')
    """
    prefix = strip(text)
    return f"{prefix.host} {prefix.rank} {prefix.process}" if prefix.process else header(text)


@remembered(1024)
def header(text: str) -> str:
    """The form of a logger's header, whoever it names; "" where a line has none, or one of what relays lines."""
    prefix = strip(text)
    if text.startswith("{"):
        keys = _KEY.findall(text[:_SEEN])[:_KEYS]
        return "{" + ",".join(keys) if len(keys) == _KEYS else ""
    times = list(_TIME.finditer(text[:_SEEN]))
    if not times or (times[0].start() == 0 and times[0]["iso"] and not prefix.level):
        return ""
    end = times[-1].end()
    head = _TIME.sub(lambda found: _DIGIT.sub("0", found[0]), text[:end])
    return _LEVEL.sub("L", head) + (" L" if prefix.level else "")


def clock(text: str) -> int | None:
    """The time of day in the header of a line, in seconds; None where it has none."""
    found = _CLOCK.search(text[:_SEEN])
    return int(found[1]) * 3600 + int(found[2]) * 60 + int(found[3]) if found else None


@remembered(1024)
def loud(text: str) -> bool:
    """Whether the header of a line, or its first word, calls it an error."""
    prefix = strip(text)
    return prefix.level in LOUD or _LOUD.match(prefix.payload) is not None


@remembered(1024)
def kind(text: str) -> tuple[str, ...]:
    """What sort of thing a line says: the first words behind its headers."""
    return tuple(_WORD.findall(_SITE.sub("", strip(text).payload))[:_WORDS])


def moving(text: str) -> str:
    """What may differ between two lines of one kind: all but the times."""
    return _TIME.sub("", text)
