"""A line in which a log driver, a collector, an export or a logger carries the line of a program: JSON, CSV, logfmt.

Docker's json-file, fluent-bit, CloudWatch (events, Insights, exports as CSV), Loki, journald (`-o json`), Google Cloud
and Azure; zap, pino, structlog and their like, whose level is the program's own.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from neurontriage.expressions import expression
from neurontriage.lines.levels import LOUD, name

_LONGEST = 4096
_LEVEL_KEYS = ("level", "severity", "levelname", "lvl", "log.level", "SeverityText", "severityText", "log_level", "s")
_MESSAGE_KEYS = ("msg", "message", "event", "Body", "body")
_ERROR_KEYS, _TIME_KEYS = ("error", "err", "exception"), ("time", "ts", "timestamp", "@timestamp", "Timestamp")
_EXIT_KEYS = ("exit_code", "exitCode", "exitcode", "exit", "returncode", "rc")
_STATE_KEYS = ("state", "status", "phase", "result", "outcome", "verdict")
# Messages whose end is told by a number, or by a word, in another field; a `code` may be that of an answer, too.
_EXITS = expression(r"(?i)\bexit(?:ed|s|ing)?$")
_EXITED = expression(
    r"(?i)\b(?:exit(?:ed|s|ing)?|end(?:ed|s)|finish(?:ed|es)|stopp(?:ed|ing)|terminated|leav(?:es|ing)|died|gone|down|closed)$"
)
_STATED = expression(rf"(?i)\b(?:{'|'.join(_STATE_KEYS)})$")
_CLASS_KEYS, _VALUE_KEYS = ("exc_type", "type", "name", "class", "kind"), ("exc_value", "message", "msg", "value")
_WHY_KEYS = ("reason", "cause", "detail", "details")
_CARRIED_KEYS = ("log", "message", "msg", "line", "text")
# Names under which only collectors put a line, whatever level they give it; what they nest a record in.
_COLLECTED_KEYS, _NESTS = ("textPayload", "MESSAGE", "LogMessage", "@message", "_raw"), ("_source", "jsonPayload")
_EVENT_TYPES = ("Normal", "Warning")
"""Types of an event of Kubernetes (https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/)."""
_DRIVER_KEYS = frozenset({"stream", "kubernetes", "container_name", "logStream", "ts", "date"})
_DATED = ("time", "stamp")
_LEVELS = range(3, 9)
"""Letters of a level that stands in a column."""
OPENS = frozenset('{[" tls0123456789')
"""Characters that a line starts with that may carry another one."""
_DOCKER = '{"log":"'
# What a message stands in as a quoted value; a shape of a header takes off what stands in front of one without an end.
_LOGFMT = expression(
    r"(?:(?:t|time|ts|timestamp)=\S{1,60} )?(?:level|lvl|severity|sev)=\"?(?P<level>\w+)\"? "
    r"(?:[\w.]+=[^\s\"]+ ){0,8}(?:msg|message|text)=\""
)
_QUOTES = (' msg="', ' message="', ' text="')
_LOGFMT_PAIR = expression(r" (?P<key>[A-Za-z_]{2,12})=(?P<value>-?\d{1,3}|[A-Za-z_]{2,24})(?=\s|$)")
_LOGFMT_ERROR = expression(r" (?:error|err|reason|cause)=(\"(?:[^\"\\]|\\.){1,2000}\")")
# A record of a list that the AWS command line prints over several lines.
_PRETTY = expression(r' {8,40}"(?:@?message|log|textPayload|MESSAGE)": (?=")')
# An export as CSV: a time, and then no fraction of a second behind a comma.
CSV = expression(
    r'"?\d{13}"?,|"?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?"?,(?!\d{3}(?!\d))(?=[\S\t])'
)


class Carried(NamedTuple):
    """The carried line, and what its carrier says of it: level and time."""

    text: str
    said: dict[str, str | None]


def carried(text: str) -> Carried | None:
    """What a line carries; None where it carries none."""
    first = text[:1]
    if first not in OPENS or len(text) > _LONGEST:
        return None
    if first in "tls":
        return _of_logfmt(text) if any(key in text for key in _QUOTES) else None
    if first in '"0123456789':
        return _of_csv(text) if "," in text[:40] and CSV.match(text) else None
    if '"' not in text:
        return None
    start = text.lstrip(" ")
    if start.startswith(("{", "[{")):
        return (_docker(text) if text.startswith(_DOCKER) else None) or _of_json(start)
    head = _PRETTY.match(text)
    value = _unquoted(text[head.end() :]) if head else ""
    return Carried(value.removesuffix("\n"), {}) if value else None


def record(said: Mapping[str, object] | list[object]) -> Carried | None:
    """What a record of JSON that was read carries."""
    return _of_record(said) if isinstance(said, Mapping) else _of_fields(said)


def unquoted(text: str) -> str:
    """The text of a line that is one item of a list of JSON; any other line itself."""
    item = text.rstrip().removesuffix(",")
    return _unquoted(item) if item[:1] == item[-1:] == '"' and _unquoted(item) else text


def _of_logfmt(text: str) -> Carried | None:
    head = _LOGFMT.match(text)
    value = _unquoted(text[head.end() - 1 :]) if head else ""
    why = _LOGFMT_ERROR.search(text, head.end()) if head and value else None
    error = _unquoted(why[1]) if why else ""
    whole = f"{value}: {error}" if error and error not in value else value
    if not head or not value:
        return None
    if _EXITED.search(value) or _STATED.search(value):
        whole = _ended(whole, value, {one["key"]: one["value"] for one in _LOGFMT_PAIR.finditer(text, head.end())})
    return Carried(whole, {"level": head["level"]})


def _ended(whole: str, message: str, fields: Mapping[str, object]) -> str:
    """A message with the status or state of the end that it tells, which stands in a field of its own."""
    keys = ("code", *_EXIT_KEYS) if _EXITS.search(message) else _EXIT_KEYS
    code = next((fields[one] for one in keys if one in fields), None)
    if _EXITED.search(message) and isinstance(code, int | str) and str(code).lstrip("-").isdigit():
        return f"{whole} with code {code}"
    state = next((fields[one] for one in _STATE_KEYS if one in fields), None)
    return f"{whole}: {state}" if _STATED.search(message) and isinstance(state, str) else whole


def _raised(value: object) -> str:
    """An exception that a record holds as fields (structlog, pino, ECS); of a list the one that was raised first."""
    one = value[-1] if isinstance(value, list) and value else value
    if not isinstance(one, dict):
        return ""
    message = _first(one, _VALUE_KEYS)
    kind = _first(one, _CLASS_KEYS)
    return f"{kind}: {message}" if kind and message else message


def _docker(text: str) -> Carried | None:
    """Docker's own spelling, without a parser: a line may be cut off at its end."""
    value, end, _ = text[len(_DOCKER) :].partition('\\n","stream":')
    plain = value.replace('\\"', '"')
    return Carried(plain, {}) if "\\" not in plain or not end else None


def _of_json(text: str) -> Carried | None:
    try:
        said = json.loads(text.rstrip().removesuffix(","))
    except (ValueError, RecursionError):
        return None
    return _of_record(said) if isinstance(said, dict) else _of_fields(said)


def _of_record(said: Mapping[str, object]) -> Carried | None:
    nested = next((value for name in _NESTS if isinstance(value := said.get(name), dict)), None)
    if nested is not None:
        return _of_record({**said, **nested, **dict.fromkeys(_NESTS)})
    level, message = _first(said, _LEVEL_KEYS), _first(said, _MESSAGE_KEYS)
    if message and said.get("type") in _EVENT_TYPES and isinstance(said.get("reason"), str):
        return Carried(f"{said['type']}  {said['reason']}  {message}", {})
    if collected := _first(said, _COLLECTED_KEYS) or _pushed(said.get("values")):
        return Carried(collected.removesuffix("\n"), {})
    if level and message:
        error = _first(said, _ERROR_KEYS) or next(filter(None, (_raised(said.get(one)) for one in _ERROR_KEYS)), "")
        error = error or (_first(said, _WHY_KEYS) if name(level) in LOUD else "")
        whole = _ended(f"{message}: {error}" if error and error not in message else message, message, said)
        return Carried(whole, {"level": level, "time": _first(said, _TIME_KEYS) or None})
    line = "" if level else _first(said, _CARRIED_KEYS)
    return Carried(line.removesuffix("\n"), {}) if line and any(map(_of_driver, said)) else None


def _of_driver(name: str) -> bool:
    """Whether a key is what log drivers and collectors put beside a line: its stream, its time."""
    return name in _DRIVER_KEYS or any(part in name.lower() for part in _DATED)


def _pushed(values: object) -> str:
    """The line of a push to Loki: pairs of a time and a line."""
    match values:
        case [[str(), str(line), *_]]:
            return line
    return ""


def _of_fields(said: object) -> Carried | None:
    """A row of CloudWatch Insights: fields with names."""
    rows = said if isinstance(said, list) else []
    values = {row.get("field"): row.get("value") for row in rows if isinstance(row, dict)}
    line = values.get("@message")
    return Carried(line.removesuffix("\n"), {}) if isinstance(line, str) else None


def _of_csv(text: str) -> Carried | None:
    """The longest field of a row behind its time, and the level that another one names."""
    try:
        row: list[str] = next(iter(csv.reader([text])), [])
    except csv.Error:
        return None
    if not row[1:]:
        return None
    level = next((one for one in row[1:] if len(one) in _LEVELS and name(one)), None)
    return Carried(max(row[1:], key=len), {"level": level} if level else {})


def _unquoted(text: str) -> str:
    """The text of a JSON string at the beginning of another text; "" where there is none."""
    try:
        return str(json.JSONDecoder().raw_decode(text)[0])
    except ValueError:
        return ""


def _first(said: Mapping[str, object], names: tuple[str, ...]) -> str:
    """The first value that is a text, or the number of a level, under one of these names; "" without one."""
    numbers = names is _LEVEL_KEYS

    def values() -> Iterator[str]:
        for one in names:
            value = said.get(one)
            if isinstance(value, str) or (numbers and type(value) is int):
                yield str(value)

    return next(values(), "")
