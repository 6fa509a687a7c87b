"""Forms in which a whole log is kept or shown, with its lines as texts in rows: CSV, a table, JSON, a quoted mail.

What a row carries stands as the program printed it, over several lines where it was several: whoever reads them sees
the log that was there before it was exported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from neurontriage.expressions import expression
from neurontriage.lines.carried import CSV
from neurontriage.lines.order import stamp
from neurontriage.lines.records import keeps, of_json
from neurontriage.lines.rows import LEAST, SHARE, Numbered, Opened, Row
from neurontriage.lines.spread import TEXTS, TIMES, cells_of, columns, of_csv

_RULE = expression(rb"[|+]?[-=+|: ]{3,}[|+]?")
_QUOTE = expression(rb"(?!>>> )(?:> ?){1,6}")
_NEAR = 3
"""Lines from the first one, which may be a command, at which an answer begins."""
_OPENS = (b"{", b"[")
_LONGEST, _STAMPED = 200, 40
"""Bytes of a header, and of a time."""
Form = Callable[[Sequence[Numbered]], Opened | None]


def form_of(head: Sequence[bytes]) -> Form | None:
    """How a log may be kept that begins with these lines, none of them blank; None for as it was printed."""
    first = head[0][:1] if head else b""
    if first == b">":
        return _quoted if all(map(_QUOTE.match, head)) else None
    if first and first in b"|-+":
        return _bars if any(line.startswith(b"|") for line in head[:LEAST]) else None
    if any(line[:1] in _OPENS and keeps(head) for line in head[:_NEAR]):
        return of_json
    if not first or (comma := head[0].find(b",", 0, _LONGEST)) < 0 or head[0][comma + 1 : comma + 4].isdigit():
        return None  # the fraction of a second
    if first.isdigit():
        return of_csv if comma < _STAMPED and _timed(head[0]) and sum(map(_timed, head)) >= LEAST else None
    header = len(head[0]) < _LONGEST and columns(cells_of(head[0]), TIMES, TEXTS)
    return of_csv if header or (first == b'"' and sum(map(_timed, head)) >= LEAST) else None


def _timed(line: bytes) -> bool:
    """Whether a line is a row of CSV that begins with a time."""
    return (line[:1].isdigit() or line[:1] == b'"') and bool(CSV.match(line[:_LONGEST].decode("utf-8", "replace")))


def _bars(lines: Sequence[Numbered]) -> Opened | None:
    """A table between bars with a header, as CloudWatch Insights and databases print it."""
    head = next((line for _, line in lines if line.startswith(b"|") and not _RULE.fullmatch(line.rstrip())), b"")
    names = [one.decode("utf-8", "replace") for one in _inner(head).split(b"|")]
    if (places := columns(names, TIMES, TEXTS)) is None:
        return None
    opened, others = Opened([], [], []), 0
    for number, line in lines:
        if line == head or not line.strip() or _RULE.fullmatch(line.rstrip()):
            continue
        cells = _inner(line).split(b"|", len(names) - 1) if line.startswith(b"|") else []
        whole = len(cells) == len(names)
        time = stamp(cells[places[0]].strip()) if whole else b""
        text = cells[places[1]].removeprefix(b" ").rstrip() if whole else line.rstrip().removesuffix(b"|").rstrip()
        others += not time
        if time:
            opened.rows.append(Row(time, [(number, text)]))
        else:
            opened.goes_on(number, text)
    return opened if len(opened.rows) >= LEAST and others <= len(opened.rows) else None


def _inner(line: bytes) -> bytes:
    return line.rstrip().removeprefix(b"|").removesuffix(b"|")


def _quoted(lines: Sequence[Numbered]) -> Opened | None:
    """A log that a mail or an issue quotes, all of it: its lines lose the signs that most of them have."""
    said = [line for _, line in lines if line.strip()]
    quoted = [found[0].strip() for line in said if (found := _QUOTE.match(line))]
    if len(quoted) < max(LEAST, SHARE * len(said)):
        return None
    depth = min(one.count(b">") for one in quoted)
    sign = expression(rb"(?:> ?){%d}" % depth)
    return Opened([(number, sign.sub(b"", line, count=1)) for number, line in lines], [], [])
