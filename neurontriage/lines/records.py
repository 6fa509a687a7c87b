"""Logs as records of JSON: one a line, many in one, or an answer of an API over many lines.

What a log driver, a collector or a store put around a line is taken off. A record of a logger, whose level is its own,
stays a line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from neurontriage.expressions import expression
from neurontriage.lines.carried import record, unquoted
from neurontriage.lines.order import falling, stamp
from neurontriage.lines.rows import LEAST, SHARE, Numbered, Opened, Row, encoded, split

_KEYS = ("time", "timestamp", "@timestamp", "Timestamp", "ts", "date", "__REALTIME_TIMESTAMP")
_BRACE = expression(rb"\s*[\[{}\]]+,?\s*")
_FIELD = expression(rb'\s*"(?P<key>[\w@.]{1,40})": ?(?P<value>.*?),?\s*')
_CARRYING = frozenset({"message", "@message", "log", "textPayload", "MESSAGE"})
_TIMING = frozenset({"timestamp", "@timestamp"})
# What an answer says of events and of itself, beside time and text.
_TOKENS = ("nextToken", "nextForwardToken", "nextBackwardToken")
_ASIDE = frozenset({"ingestionTime", "eventId", "logStreamName", "ptr", "@ptr", "events", "results", *_TOKENS})


def of_json(lines: Sequence[Numbered]) -> Opened | None:
    """Records of JSON, one or more a line; else an answer of which each record takes many lines."""
    opened, read, others = Opened([], [], []), 0, 0
    for number, line in lines:
        if (said := _parsed(line)) is None:
            others += bool(line.strip())
            opened.goes_on(number, line)
            continue
        read += 1
        rows = [Row(time, [(number, one) for one in split(text)]) for time, text in _carried(said)]
        opened.rows.extend(rows or [Row(_time(said), [(number, line)])])
    return opened if len(opened.rows) >= LEAST and read >= SHARE * (read + others) else _answer(lines)


def keeps(head: Sequence[bytes]) -> bool:
    """Whether a log that begins with these lines may be one of records that carry others, or whose times fall."""
    if any(line.strip() in (b"{", b"[") or line.lstrip().startswith(b'"events": [') for line in head):
        fields = [found["key"].decode() for line in head if (found := _FIELD.fullmatch(line))]
        named = [value for line in head for value in _TIMING if b': "%s"' % value.encode() in line]
        return bool(named) or not (_TIMING.isdisjoint(fields) or _CARRYING.isdisjoint(fields))
    said = [one for line in head if (one := _parsed(line)) is not None]
    return any(any(_carried(one)) for one in said) or falling(list(filter(None, map(_time, said))))


def _parsed(line: bytes) -> Any:
    """The record of a line; None where it is none."""
    if not line.lstrip().startswith((b"{", b"[{")):
        return None
    try:
        return json.loads(line.rstrip().removesuffix(b",")) or None
    except (ValueError, RecursionError):
        return None


def _carried(said: Any) -> Iterator[tuple[bytes, str]]:
    """The times and the lines that a record carries: none where it is a logger's own."""
    if many := [*_many(said)] if isinstance(said, dict) else []:
        yield from many
    elif (found := record(said)) is not None and not found.said:
        yield _time(said), _headed(said, found.text)


def _headed(said: Any, text: str) -> str:
    """A line of journald with the header that a system's log gives it: who said it decides what it means there."""
    if not isinstance(said, dict) or not (program := said.get("SYSLOG_IDENTIFIER")):
        return text
    if not (since := str(said.get("__REALTIME_TIMESTAMP", "")))[:10].isdigit():
        return text
    time = datetime.fromtimestamp(int(since[:10]), UTC).strftime("%Y-%m-%dT%H:%M:%S")
    process = said.get("_PID") or said.get("SYSLOG_PID") or 0
    return f"{time}.{since[10:16]:0<6}Z {said.get('_HOSTNAME') or 'localhost'} {program}[{process}]: {text}"


def _many(said: Mapping[str, Any]) -> Iterator[tuple[bytes, str]]:
    """The lines that Loki is sent or answers as pairs, and the events of an answer of CloudWatch."""
    data = said.get("data")
    streams = said.get("streams") or (data.get("result") if isinstance(data, dict) else None) or [said]
    for stream in streams if isinstance(streams, list) else ():
        values = stream.get("values") if isinstance(stream, dict) else None
        for one in values if isinstance(values, list) else ():
            match one:
                case [str(time), str(text), *_]:
                    yield stamp(encoded(time)), text
    events = said.get("events")
    for one in events if isinstance(events, list) else ():
        match one:
            case {"timestamp": int(since), "message": str(text)}:
                yield stamp(b"%d" % since), text


def _time(said: Any) -> bytes:
    """When a record was made."""
    if isinstance(said, list):
        said = {one.get("field"): one.get("value") for one in said if isinstance(one, dict)}
    inner = said.get("_source")
    both = {**said, **inner} if isinstance(inner, dict) else said
    return next(filter(None, (stamp(encoded(str(both[one]))) for one in _KEYS if one in both)), b"")


def _answer(lines: Sequence[Numbered]) -> Opened | None:
    """The events that the AWS command line prints, each over several lines, with a time and a text."""
    answer = _Answer()
    for number, line in lines:
        if (found := _FIELD.fullmatch(line)) is not None:
            answer.field(number, line, found["key"].decode(), found["value"])
        elif not _BRACE.fullmatch(line):
            answer.opened.goes_on(number, line)
        elif b"}" in line:
            answer.ends()
    rows = answer.opened.rows
    return answer.opened if len(rows) >= LEAST and sum(bool(row.time) for row in rows) >= SHARE * len(rows) else None


class _Answer:
    """What is known of the event that is read: its `time`; `row`, what it carries; `named`, which field comes next."""

    def __init__(self) -> None:
        self.opened = Opened([], [], [])
        self.ends()

    def ends(self) -> None:
        """The event is read to its end."""
        self.time, self.named, self.row = b"", "", False

    def field(self, number: int, line: bytes, key: str, value: bytes) -> None:
        """The next field of the event, or a line that has the form of one."""
        text = value.decode("utf-8", "replace")
        if key == "field":
            self.named = unquoted(text)
            return
        key = self.named if key == "value" else key
        rows = self.opened.rows
        if key in _TIMING:
            self.time = stamp(value)
            if self.row and not rows[-1].time:
                rows[-1] = rows[-1]._replace(time=self.time)
        elif key in _CARRYING and value.startswith(b'"'):
            rows.append(Row(self.time, [(number, one) for one in split(unquoted(text))]))
            self.row = True
        elif key not in _ASIDE:
            self.opened.goes_on(number, line)
