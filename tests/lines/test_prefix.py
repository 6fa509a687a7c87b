"""Launcher prefixes: any of them, nested in any order, comes off and leaves its fields."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.lines.prefix import strip
from neurontriage.model import Prefix

SHAPES = {
    "[rank3]: ": {"rank": 3},
    "[1,31]<stdout>:": {"rank": 31},
    "[default7]:": {"rank": 7},
    "(RayTrainWorker pid=123, ip=10.0.0.1) ": {"host": "10.0.0.1", "process": "RayTrainWorker pid=123"},
    "(EngineCore_DP0 pid=277) ": {"process": "EngineCore_DP0 pid=277"},
    "ERROR 01-06 21:17:45 [multiproc_executor.py:671] ": {"level": "ERROR"},
    "[2026-07-29 17:05:55] INFO platform.py:111: ": {"level": "INFO"},
    "[INFO ] PyProcess - ": {"level": "INFO"},
    "tgi-1-1  | ": {"host": "tgi-1-1"},
    "2024-08-15T14:01:19.123456789Z stdout F ": {"time": "2024-08-15T14:01:19.123456789Z"},
    "2024-08-12 18:34:56,116::ERROR: ": {"time": "2024-08-12 18:34:56,116", "level": "ERROR"},
    "2024-09-17 19:01:37 | ERROR    | yolox.core.trainer:86 - ": {"time": "2024-09-17 19:01:37"},
    "2024-09-17 19:01:37,123\tERROR worker.py:409 -- ": {"time": "2024-09-17 19:01:37,123", "level": "ERROR"},
    "2024-09-17 19:01:37,123 - ERROR - train.py:12 - ": {"time": "2024-09-17 19:01:37,123", "level": "ERROR"},
    "Oct 30 19:13:39 ip-172-31-93-131 nrtd[1125]: ": {"host": "ip-172-31-93-131", "process": "nrtd"},
    "[1038619.687627] ": {},
    "E   ": {},
    "> ": {},
    "ERROR:root:": {"level": "ERROR"},
    "com.amazonaws.ml.mms.wlm.WorkerLifeCycle - ": {},
    "[pod/train-0/main] ": {"host": "train-0"},
    "......": {},
    "  2%|▏         | 1/48 [00:00<00:16,  2.77it/s]": {},
}
# Headers of loggers that no table knows: known by their shape, behind what launchers put in front.
FORMS = {
    "14:15:05.467 [I] ": {"level": "INFO"},
    "08:11:04.212 | main | ERR | ": {"level": "ERROR"},
    "2026-03-02 08:11:04,112 [main] ERROR o.a.s.Executor - ": {"level": "ERROR", "time": "2026-03-02 08:11:04,112"},
    "[08:11:04] [error] [net.c:88] ": {"level": "ERROR"},
    "ERROR 2026-03-02 08:11:04 net.c:88 ": {"level": "ERROR"},
    "2026/03/02 09:31:51 ": {},
    "2026/03/02 09:31:51 main.go:12: ": {},
    "[node7:04411] ": {"host": "node7"},
    "[1709367064.112233] [node7:4411 :0]     ucp_context.c:1849 UCX  ERROR ": {"level": "ERROR", "host": "node7"},
    'time="2026-03-02T08:11:05Z" level=error msg="': {"level": "ERROR"},
    "2026-03-02 08:11:04,112 sagemaker.remote_function ERROR    ": {"level": "ERROR"},
    "2026-03-02 08:11:04,112 sagemaker.remote_function INFO     ": {"level": "INFO"},
    "2026-03-02 08:11:04 | 4411 | WARNING | ": {"level": "WARNING"},
    "2026-03-02 08:11:04 UTC [ERROR] ": {"level": "ERROR"},
    "[2026-03-02 08:11:04 +0000] [4411] [ERROR] ": {"level": "ERROR", "time": "2026-03-02 08:11:04 +0000"},
    "[2026-03-02 08:11:04,112][trainer][INFO] - ": {"level": "INFO", "time": "2026-03-02 08:11:04,112"},
    "2026-03-02T08:11:04.123456+00:00 node7 train[4411]: ": {"host": "node7", "process": "train"},
    "[11-20 03:00:01][reader][88][FTL] ": {"level": "FATAL"},
    "[FTL] ": {"level": "FATAL"},
    "CRIT ": {"level": "FATAL"},
    "E|03:00:01|reader| ": {"level": "ERROR"},
    "2026/11/20 03:00:01 [emerg] 88#88: ": {"level": "FATAL"},
    "2026/11/20 03:00:01 [crit] 88#88: *4411 ": {"level": "FATAL"},
    "<3>": {"level": "ERROR"},
    "<2>Nov 20 03:00:01 n1 reader[88]: ": {"level": "FATAL", "host": "n1", "process": "reader"},
    "<6>Nov 20 03:00:01 n1 reader[88]: CRIT ": {"level": "FATAL", "host": "n1", "process": "reader"},
    "[ОШИБКА] ": {"level": "ERROR"},
    "[ИНФО] ": {"level": "INFO"},
    "ERREUR : ": {"level": "ERROR"},
    "FEHLER: ": {"level": "ERROR"},
    "[エラー] ": {"level": "ERROR"},
    "2026-03-02 08:11:04 [错误] ": {"level": "ERROR"},
    "警告: ": {"level": "WARNING"},
    "✅ ": {"level": "INFO"},
    't=2026-11-20T03:00:01Z lvl=crit msg="': {"level": "FATAL"},
    "2026-03-02 08:11:04 [!]  ": {"level": "WARNING"},
    "(!) ": {"level": "WARNING"},
    "W: ": {"level": "WARNING"},
    "npm warn ": {"level": "WARNING"},
    "2026-03-02T08:11:04Z E! ": {"level": "ERROR"},
    "1:M 02 Mar 2026 08:11:04.113 # ": {"level": "WARNING"},
    "2026-03-02:08:11:04 WARNING  [task:337] ": {"level": "WARNING"},
    "2026-03-02 08:11:04,112 INFO [a.b:3] ERROR 2026-03-02 08:11:04 net.c:88 ": {"level": "ERROR"},
}
# What stands in front of a level is a host or a pod; in front of other words it is a part of the sentence.
BEFORE_A_LEVEL = {"trn1-1: ": "trn1-1", "pod/trn-0 trainer ": "trn-0"}
# What a program calls itself before it calls what it says an error; before other words it may be a part of them.
TAGS = ["[entrypoint] ", "[io][reader]: ", "boot.sh: ", "mill:plan.sql:14: ", "mill/io[88]: ", "==> ", "*** ", ">>> "]
CALLED = ["ERROR: no frob", "fatal: no frob", "FATAL ERROR: no frob", "panic: no frob"]
PAYLOADS = ["RuntimeError: boom", "Killed", "Traceback (most recent call last):", "[TEN404] Internal tensorizer error"]


@pytest.mark.parametrize("prefix", [*SHAPES, *FORMS], ids=str.strip)
def test_a_prefix_comes_off_and_is_kept(prefix: str) -> None:
    found = strip(prefix + "RuntimeError: boom")
    assert found.payload == "RuntimeError: boom"
    for name, value in (SHAPES | FORMS)[prefix].items():
        assert getattr(found, name) == value


@pytest.mark.parametrize("prefix", BEFORE_A_LEVEL)
def test_a_name_before_a_level_is_a_host(prefix: str) -> None:
    found = strip(prefix + "[ERROR] - no frob")
    assert (found.host, found.payload) == (BEFORE_A_LEVEL[prefix], "no frob")
    assert strip(prefix + "no frob").payload == prefix + "no frob"


@pytest.mark.parametrize("called", CALLED)
@pytest.mark.parametrize("tag", TAGS, ids=str.strip)
def test_a_tag_before_what_calls_itself_an_error_comes_off(tag: str, called: str) -> None:
    assert strip(tag + called).payload == called
    assert strip(tag + "no frob").payload.endswith("no frob")
    assert strip("[trainer] [rank 3] FATAL frob 4 is gone") == Prefix("frob 4 is gone", rank=3, level="FATAL")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([p for p in SHAPES if p.endswith((" ", ":"))]), max_size=3), st.sampled_from(PAYLOADS))
def test_prefixes_nest_in_any_order(prefixes: list[str], payload: str) -> None:
    assert strip("".join(prefixes) + payload).payload == payload


LAUNCHERS = ["[rank3]: ", "[1,31]<stdout>:", "(EngineCore_DP0 pid=277) ", "tgi-1-1  | ", "[pod/train-0/main] "]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(LAUNCHERS), max_size=2), st.sampled_from(sorted(FORMS)), st.sampled_from(PAYLOADS))
def test_a_header_known_by_its_shape_stands_behind_launchers(prefixes: list[str], form: str, payload: str) -> None:
    found = strip("".join(prefixes) + form + payload)
    assert found.payload == payload
    assert found.level == FORMS[form].get("level")


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=300))
def test_any_line_is_taken_and_the_payload_is_its_end(line: str) -> None:
    if line.startswith('{"log":"'):
        return  # unwrapped, see below
    assert line.endswith(strip(line).payload)


@pytest.mark.parametrize(
    "line",
    [
        "2025-Oct-01 23:48:34.002205 516278:516289 ERROR  TDRV:fn   text",
        "2024-07-02T18:55:52Z USER 281382 [sg0000/Tensorizer/SpillPSum]: Running SpillPSum",
        "2026-08-06 04:11:01.000480:  12794  [INFO]: Got a cached failed neff",
        "2025-10-31T07:17:12Z [TEN404] Internal tensorizer error",
        "ERROR:Neuron:Cannot reshape a tensor",
        "[ERROR] [NCC_EXTP003] Instructions generated",
    ],
)
def test_what_a_family_starts_with_stays(line: str) -> None:
    assert strip(line).payload == line


def test_docker_json_lines_are_unwrapped() -> None:
    line = r'{"log":"ValueError: a \"b\"\n","stream":"stderr","time":"2026-01-01T00:00:00Z"}'
    assert strip(line).payload == 'ValueError: a "b"'


@pytest.mark.parametrize(
    ("line", "payload", "level"),
    [
        (
            '{"ts":"2026-03-02T08:11:05Z","level":"error","msg":"ring 7 is open","logger":"net"}',
            "ring 7 is open",
            "ERROR",
        ),
        ('{"severity": "WARNING", "message": "slow", "error": "no peer"}', "slow: no peer", "WARNING"),
    ],
)
def test_a_line_of_json_gives_its_message(line: str, payload: str, level: str) -> None:
    assert (strip(line).payload, strip(line).level) == (payload, level)


@pytest.mark.parametrize(
    "line", ['{"msg": 3, "level": "error"}', '{"level": "error", "msg": "x"', '{"loss": 3.1}', '{"a"}']
)
def test_other_json_stays(line: str) -> None:
    assert strip(line).payload == line


@pytest.mark.parametrize(
    ("line", "payload", "level"),
    [
        ('{"log": "bad row\\n", "stream": "stderr", "time": "2026-11-20T03:00:00Z"}', "bad row", None),
        ('{"date":1763600000.5,"kubernetes":{"pod_name":"t-0"},"log":"  File \\"a\\""}', '  File "a"', None),
        ('{"timestamp": 1763600000123, "message": "bad row", "ingestionTime": 1763600000999}', "bad row", None),
        ('{"level":50,"time":1763600000123,"pid":88,"msg":"bad row"}', "bad row", "ERROR"),
        ('{"severity": "CRITICAL", "message": "bad row", "labels": {}}', "bad row", "FATAL"),
        ('{"text": "bad row", "label": 3}', '{"text": "bad row", "label": 3}', None),
        (
            'ts=2026-11-20T03:00:00Z level=info component=pump msg="  File \\"a\\", line 3"',
            '  File "a", line 3',
            "INFO",
        ),
        ('level=error msg="no \\"row\\"" split=dev', 'no "row"', "ERROR"),
        ("Error: bad row", "Error: bad row", None),
        ("Alert managers are up", "Alert managers are up", None),
        ("❌ bad row", "❌ bad row", None),
    ],
)
def test_a_carried_line_is_what_was_carried(line: str, payload: str, level: str | None) -> None:
    found = strip(line)
    assert (found.payload, found.level) == (payload, level)
