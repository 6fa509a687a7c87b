"""A carried line is what the program printed, whatever carries it, and in however many layers."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.lines.carried import carried
from neurontriage.lines.prefix import strip
from neurontriage.lines.streams import Streams, unmarked

TIME = "2026-11-20T03:00:00Z"


def row(*values: str, always: bool = False) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="", quoting=csv.QUOTE_ALL if always else csv.QUOTE_MINIMAL).writerow(values)
    return text.getvalue()


def fields(line: str) -> str:
    return json.dumps([{"field": "@timestamp", "value": TIME}, {"field": "@message", "value": line}]) + ","


CARRIERS: dict[str, Callable[[str], str]] = {
    "docker": lambda line: json.dumps({"log": f"{line}\n", "stream": "stderr", "time": TIME}, separators=(",", ":")),
    "fluent-bit": lambda line: json.dumps({"date": 1.5, "kubernetes": {"pod_name": "t-0"}, "log": line}),
    "cloudwatch event": lambda line: json.dumps({"timestamp": 17, "message": line, "ingestionTime": 17}),
    "cloudwatch event over several lines": lambda line: f'            "message": {json.dumps(line)},',
    "cloudwatch csv": lambda line: row("1763600000123", line),
    "cloudwatch insights": fields,
    "csv with quotes": lambda line: row(TIME, "ip-10-0-1-2", line, always=True),
    "journald": lambda line: json.dumps({"__REALTIME_TIMESTAMP": "17", "PRIORITY": "6", "MESSAGE": line}),
    "loki": lambda line: json.dumps({"stream": {"app": "train"}, "values": [["1763600000123456789", line]]}),
    "google": lambda line: json.dumps({"textPayload": line, "severity": "INFO", "timestamp": TIME}),
    "azure": lambda line: json.dumps({"TimeGenerated": TIME, "LogMessage": line, "LogSource": "stderr"}),
    "kibana": lambda line: json.dumps({"_index": "l", "_source": {"@timestamp": TIME, "message": line}}),
}
LINES = [
    '  File "/srv/train.py", line 61, in main',
    "KeyError: 'train, or \"test\"'",
    "Killed",
    "\tat com.corp.Reader.read(Reader.java:90)",
    "读取失败: a, b",
]


@pytest.mark.parametrize("name", CARRIERS)
@pytest.mark.parametrize("line", LINES)
def test_a_carried_line_is_as_it_was_printed(name: str, line: str) -> None:
    if name == "csv with quotes":
        line = f"{line} in the longest field"
    found = strip(CARRIERS[name](line))
    assert (found.payload, found.level) == (line, None)


@settings(max_examples=60, deadline=None)
@given(names=st.lists(st.sampled_from(["docker", "cloudwatch event", "journald", "azure"]), min_size=1, max_size=3))
def test_carriers_nest_and_stand_behind_prefixes(names: list[str]) -> None:
    text = LINES[0]
    for name in names:
        text = CARRIERS[name](text)
    assert strip(f"trainer-1  | {text}").payload == LINES[0]


@pytest.mark.parametrize(
    ("said", "text", "level", "time"),
    [
        ({"level": "info", "time": TIME, "msg": "ready"}, "ready", "info", TIME),
        ({"levelname": "ERROR", "ts": TIME, "message": "no ring"}, "no ring", "ERROR", TIME),
        ({"severity": "error", "@timestamp": TIME, "event": "no ring"}, "no ring", "error", TIME),
        ({"lvl": "warn", "timestamp": TIME, "msg": "no ring"}, "no ring", "warn", TIME),
        ({"level": 50, "time": 17, "msg": "no ring"}, "no ring", "50", None),
        ({"level": "error", "msg": "no ring", "error": "it is closed"}, "no ring: it is closed", "error", None),
        ({"level": "error", "msg": "no ring", "err": "it is closed"}, "no ring: it is closed", "error", None),
        ({"level": "error", "msg": "no ring", "exception": "it is closed"}, "no ring: it is closed", "error", None),
        ({"level": "error", "msg": "no ring: closed", "error": "closed"}, "no ring: closed", "error", None),
    ],
)
def test_what_a_logger_says_of_its_line(said: dict[str, object], text: str, level: str, time: str | None) -> None:
    assert carried(json.dumps(said)) == (text, {"level": level, "time": time})


@pytest.mark.parametrize(
    "text",
    [
        '{"text": "the answer failed", "label": 3}',
        '{"level": "info", "log": "a", "stream": "stderr"}',
        '{"prompt": "why", "message": "error"}',
        "2026-11-20 03:00:00,123 INFO a",
        "2024-08-12 18:34:56,116::ERROR: a",
        '    "message": "SignalException: Process 7 got signal: 1",',
        '{"log": ',
        "[{}]",
        "[1, 2]",
        "17,18,19",
    ],
)
def test_data_and_other_headers_carry_nothing(text: str) -> None:
    assert carried(text) is None


@pytest.mark.parametrize(
    "child", ["Traceback (most recent call last):", '  File "/a.py", line 1, in f', "ERROR: no row"]
)
def test_the_level_of_a_parents_json_says_nothing_of_its_child(child: str) -> None:
    lines = [json.dumps({"level": "info", "ts": TIME, "msg": line}) for line in ["loading", "ready", child]]
    streams = Streams()
    streams.begin("\n".join(lines).encode())
    line, own = unmarked(streams.marked(lines[0].encode()).decode())
    assert (strip(line, own).payload, strip(line, own).level, strip(line).level) == ("loading", None, "INFO")


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    for one in (text, "{" + text + "}", '1763600000123,"' + text, "[{" + text + "}]"):
        found = carried(one)
        assert found is None or isinstance(found.text, str)
