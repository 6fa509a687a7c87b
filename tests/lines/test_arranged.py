"""Rows of exports are read as their program printed them, the oldest first; all other logs go by as they are."""

from __future__ import annotations

import json

import pytest

from neurontriage.lines.arranged import MOST, arranged
from neurontriage.lines.order import falling, stamp
from neurontriage.read.places import Arranged

LINES = ["begins", '  File "a.py", line 3, in f', "KeyError: 'b, c'", "ends"]
CLOCKS = [f"2026-03-04 09:00:{second:02}.5" for second in (1, 5, 5, 9, 10, 12)]


def read(text: str) -> tuple[list[str], list[int], bool]:
    """The lines as they are read, where they stand, and whether they were turned."""
    blocks = list(arranged([text.encode()]))
    first = blocks[0]
    assert isinstance(first, Arranged)
    lines = b"".join(blocks).decode().splitlines()
    return lines, [first.places.place(number) for number, _ in enumerate(lines, 1)], first.places.turned


def row(clock: str, line: str) -> str:
    quoted = line.replace('"', '""')
    return f'{clock},"{quoted}"'


@pytest.mark.parametrize("head", ["timestamp,message\n", ""])
def test_rows_of_csv(head: str) -> None:
    text = head + "\n".join(map(row, CLOCKS, LINES)) + "\n"
    assert read(text) == (LINES, [number + bool(head) for number in (1, 2, 3, 4)], False)


def test_a_cell_of_several_lines_stays_whole_where_rows_are_turned() -> None:
    cells = ["a", "b\nc\n", "d", "e", "f", "g"]
    text = "\n".join(["@timestamp,@message", *reversed(list(map(row, CLOCKS, cells)))])
    assert read(text) == (list("abcdefg"), [9, 6, 7, 5, 4, 3, 2], True)


def test_records_of_json() -> None:
    docker = [json.dumps({"log": f"{line}\n", "stream": "stderr", "time": CLOCKS[0]}) for line in LINES]
    assert read("\n".join(docker))[0] == LINES
    pushed = json.dumps({"streams": [{"stream": {}, "values": [["1772614800000000000", line] for line in LINES]}]})
    assert read(pushed)[:2] == (LINES, [1, 1, 1, 1])


def test_journald_says_who_speaks() -> None:
    said = {"__REALTIME_TIMESTAMP": "1712077803363669", "_HOSTNAME": "h", "SYSLOG_IDENTIFIER": "sshd", "_PID": "8"}
    lines, _, _ = read("\n".join(json.dumps({**said, "MESSAGE": line}) for line in LINES))
    assert lines[0] == "2024-04-02T17:10:03.363669Z h sshd[8]: begins"


def test_times_of_a_plain_log_that_fall() -> None:
    lines = [f"{clock} {number}" for number, clock in enumerate(CLOCKS)]
    lines[1] += "\n  more of it"
    found, places, turned = read("\n".join(reversed(lines)) + "\n")
    assert found == "\n".join(lines).splitlines()
    assert places == [7, 5, 6, 4, 3, 2, 1]
    assert turned


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"{clock},123 INFO a, b" for clock in CLOCKS),
        "\n".join(f"{clock} line" for clock in (*CLOCKS, *CLOCKS[::-1])),
        "\n".join(json.dumps({"level": "info", "msg": line, "ts": 1.5}) for line in LINES),
        ">>> import torch_xla\n>>> 1 / 0\nZeroDivisionError: division by zero\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n",
        "{\n" + '  "message": "a",\n' * 9 + "}\n",
        "",
    ],
)
def test_other_logs_go_by(text: str) -> None:
    assert list(arranged([text.encode()])) == [text.encode()]


def test_a_level_that_differs_is_kept() -> None:
    rows = [f"{CLOCKS[0]}Z,{level},{line}" for level, line in [("error", "a"), *[("info", "b")] * 6]]
    assert read("\n".join(["date,status,content", *rows]))[0] == [rows[0], *"bbbbbb"]


def test_a_long_log_is_not_held() -> None:
    block = ("\n".join(map(row, CLOCKS, LINES)) + "\n").encode() * 6000
    given = iter([block] * (MOST // len(block) + 9))
    found = arranged(given)
    assert next(found) == block
    assert next(given, None) is not None
    assert sum(1 for _ in found) == MOST // len(block) + 7


def test_stamps_of_one_form_can_be_compared() -> None:
    assert stamp(b"2026-03-04T09:00:01,5Z x") < stamp(b"2026-03-04 09:00:02 x") < stamp(b"2026/03/04 09:00:02.25")
    assert stamp(b"1763600000123,x") < stamp(b"1763600000124000000,x")
    assert stamp(b"Mar  4 09:00:01 h x: y") < stamp(b"Mar 14 09:00:00 h x: y") < stamp(b"Apr  1 00:00:00 h x: y")
    assert not stamp(b"epoch 1763600000")
    assert falling([b"5", b"4", b"4", b"3", b"2", b"1"])
    assert not falling([b"5", b"4", b"5", b"4", b"3", b"2", b"1"])
