"""Exports as CSV: rows with a time and a text, which may be a cell of several lines, and the level of a collector."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from neurontriage.lines.levels import LOUD, name
from neurontriage.lines.order import stamp
from neurontriage.lines.rows import LEAST, SHARE, Numbered, Opened, Row, encoded, split

TIMES = frozenset(["timestamp", "@timestamp", "time", "@time", "_time", "date", "datetime", "ts"])
TEXTS = frozenset(
    ["message", "@message", "content", "log", "line", "body", "msg", "text", "textpayload", "event", "_raw"]
)
"""What exports call the columns of the time and of the text."""
_LEVELS = frozenset(["status", "level", "severity", "loglevel", "log_level"])
_SAME, _FEW = 0.8, 5
"""How many of the rows, and how many at least, have a level that says nothing: a collector gave it to their stream."""
_LONGEST = 2000
"""Lines of a cell; what stands behind a quote that is never closed would be one, too."""
_Record = tuple[int, list[str]]
"""The number of the line at which a record begins, and its cells."""


class _Columns(NamedTuple):
    """How many cells a row has, and which of them are its time, its text and its level."""

    width: int
    time: int
    text: int
    level: int | None


def of_csv(lines: Sequence[Numbered]) -> Opened | None:
    """An export as CSV, with a header or without."""
    records = _records(lines)
    if not records:
        return None
    found = _named(records[0][1])
    body = records[1:] if found else records
    least = 1 if found else LEAST
    if not body or (found is None and (found := _guessed(body)) is None):
        return None
    whole = [cells for _, cells in body if _whole(cells, found)]
    if len(whole) < max(least, SHARE * len(body)):
        return None
    usual = "" if found.level is None else _usual([cells[found.level] for cells in whole])
    opened = Opened([], [], [])
    for number, cells in body:
        said = [(number + more, line) for more, line in enumerate(split(_text(cells, found, usual)))]
        if _whole(cells, found) or not opened.rows:
            opened.rows.append(Row(stamp(encoded(cells[found.time])), said))
        else:
            opened.rows[-1].lines.extend(said)
    return opened


def cells_of(line: bytes) -> list[str]:
    """The cells of one line; none where it is no row."""
    try:
        return next(csv.reader([line.decode("utf-8", "replace")]), [])
    except csv.Error:
        return []


def columns(cells: Sequence[str], times: frozenset[str], texts: frozenset[str]) -> tuple[int, int] | None:
    """Which columns of a header hold the time and the text."""
    names = [cell.strip().casefold() for cell in cells]
    time = next((place for place, one in enumerate(names) if one in times), None)
    text = next((place for place, one in enumerate(names) if one in texts), None)
    return None if time is None or text is None else (time, text)


def _records(lines: Sequence[Numbered]) -> list[_Record]:
    """All records, each with the number of its first line; none where a cell has no end."""
    reader = csv.reader(line.decode("utf-8", "surrogateescape") + "\n" for _, line in lines)
    found, start = list[_Record](), 0
    try:
        for cells in reader:
            if reader.line_num - start > _LONGEST:
                return []
            found += [(lines[start][0], cells)] if cells else []
            start = reader.line_num
    except csv.Error:
        return []
    return found


def _named(head: Sequence[str]) -> _Columns | None:
    """The columns by the names in a header."""
    if (found := columns(head, TIMES, TEXTS)) is None:
        return None
    level = next((place for place, one in enumerate(head) if one.strip().casefold() in _LEVELS), None)
    return _Columns(len(head), *found, level)


def _guessed(body: Sequence[_Record]) -> _Columns | None:
    """The columns of rows without a header: the time is the first, the text the longest."""
    width = Counter(len(cells) for _, cells in body).most_common(1)[0][0]
    rows = [cells for _, cells in body if len(cells) == width]
    if width < 2 or len(rows) < SHARE * len(body):
        return None
    text = max(range(1, width), key=lambda one: sum(len(cells[one]) for cells in rows))
    return _Columns(width, 0, text, next(_levels(rows, text), None))


def _levels(rows: Iterable[Sequence[str]], text: int) -> Iterator[int]:
    """Columns in which every row has a level."""
    for place, values in enumerate(zip(*rows, strict=True)):
        if place and place != text and all(map(name, values)):
            yield place


def _whole(cells: Sequence[str], found: _Columns) -> bool:
    return len(cells) >= found.width and bool(stamp(encoded(cells[found.time])))


def _text(cells: Sequence[str], found: _Columns, usual: str) -> str:
    """What a row carries: a row itself where its level is not the usual one."""
    if not _whole(cells, found):
        return ",".join(cells)
    text = ",".join(cells[found.text :]) if found.text == found.width - 1 else cells[found.text]
    level = "" if found.level is None else cells[found.level]
    if not level or name(level) in ("", usual):
        return text
    first, feed, rest = text.partition("\n")
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow([cells[found.time], level, first])
    return f"{out.getvalue()}{feed}{rest}"


def _usual(levels: Sequence[str]) -> str:
    """The level that nearly all rows have, which then says nothing; "" for none."""
    found, count = Counter(map(name, levels)).most_common(1)[0]
    return found if count >= _SAME * len(levels) and (count >= _FEW or found not in LOUD) else ""
