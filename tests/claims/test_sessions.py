"""Tests that pass undo what was printed while they ran, in one part or in several; those that fail do not."""

from __future__ import annotations

import pytest

from neurontriage.claims.reading import Reading
from neurontriage.claims.sessions import mark_of
from neurontriage.knowledge.catalog import Catalog
from neurontriage.read.slices import Slice
from neurontriage.triage import concluded, explain_text

FULL = "ERROR    store:disk.py:88 OSError: [Errno 28] No space left on device"
STARTS, PASSED = "===== test session starts =====", "===== 2 passed, 1 warning in 3.1s ====="
ROWS = [f"row {number}" for number in range(70)]
FAILED = "===== 1 failed, 1 passed in 3.1s ====="


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("tests-begin", STARTS),
        ("tests-passed", PASSED),
        ("tests-passed", "10 passed in 0.10s"),
        ("tests-failed", FAILED),
        ("tests-failed", "=== 2 passed, 1 error in 0.1s ==="),
        ("tests-passed", "OK (skipped=1)"),
        ("tests-failed", "FAILED (failures=1)"),
        ("tests-passed", "test result: ok. 3 passed; 0 failed"),
        ("tests-failed", "67% tests passed, 1 tests failed out of 3"),
        ("tests-fail", "--- FAIL: TestX (0.0s)"),
        ("", "preflight::driver PASSED"),
        ("", "1 passed 2"),
        ("", "OK: 3"),
    ],
)
def test_marks(kind: str, line: str) -> None:
    assert mark_of(line) == kind


@pytest.mark.parametrize(
    ("lines", "fails"),
    [
        ([STARTS, FULL, PASSED, "done"], False),
        ([STARTS, FULL, FAILED], True),
        ([FULL, STARTS, PASSED, "exit code 1"], True),
        ([STARTS, PASSED, FULL, "exit code 1"], True),
        ([STARTS, FULL], True),
        ([STARTS, "tests/a.py::test_b PASSED [ 50%]", FULL, "tests/a.py::test_c FAILED [ 99%]", FAILED], True),
    ],
)
@pytest.mark.parametrize("between", [0, 70])
def test_a_session(catalog: Catalog, lines: list[str], fails: bool, between: int) -> None:
    rows = [row for line in lines for row in (line, *(f"row {number}" for number in range(between)))]
    found = explain_text("\n".join(rows[: len(rows) - between]) + "\n", catalog=catalog).findings
    assert any(one.severity == "error" for one in found) == fails
    assert any(one.id == "HOST-NoSpace" for one in found), "what was printed is shown all the same"


@pytest.mark.parametrize(
    ("parts", "fails"),
    [
        ([[STARTS, FULL], [FULL, PASSED]], False),
        ([[STARTS, FULL], [FULL], [PASSED]], False),
        ([[STARTS, FULL], [FULL], [FAILED]], True),
        ([[FULL], [FULL, PASSED]], True),
        ([[STARTS, FULL, PASSED], [FULL, STARTS, PASSED]], True),
    ],
)
def test_a_session_that_is_read_in_parts(catalog: Catalog, parts: list[list[str]], fails: bool) -> None:
    """Each part goes on where the one before it ends, as slices of a long log do."""
    reading = Reading(catalog)
    for number, lines in enumerate(parts):
        body = "".join(f"{line}\n" for line in [*lines, *ROWS]).encode()
        reading.take(reading.part_of("a.log", Slice([body], continues=number > 0)))
    found = concluded(reading).findings
    assert any(one.severity == "error" for one in found) == fails
    assert [one.count for one in found if one.id == "HOST-NoSpace"] == [sum(lines.count(FULL) for lines in parts)]


@pytest.mark.parametrize(
    ("lines", "fails"),
    [
        ([STARTS, PASSED, FULL], True),
        ([STARTS, FULL, PASSED], False),
        ([STARTS, FULL, FULL, PASSED], False),
        ([STARTS, FULL, FAILED], True),
        ([FULL, STARTS, PASSED], True),
        ([STARTS, FULL, PASSED, STARTS, FULL, PASSED], False),
    ],
)
@pytest.mark.parametrize("first", [1, 2])
def test_parts_that_are_put_together_from_the_end_say_the_same(
    catalog: Catalog, lines: list[str], fails: bool, first: int
) -> None:
    """What fails after the session is none of its failures, whichever parts are joined first."""
    parts = [
        Reading(catalog).part_of("a.log", Slice([f"{line}\n".encode()], continues=number > 0))
        for number, line in enumerate(lines)
    ]
    other = Reading(catalog).part_of("b.log", Slice([b"all is quiet\n"]))
    begin, later, reading = Reading(catalog), Reading(catalog), Reading(catalog)
    for part in parts[:first]:
        begin.take(part)
    for part in (*parts[first:], other):
        later.take(part)
    for one in (begin, later):
        reading.take(one.part)
    assert any(one.severity == "error" for one in concluded(reading).findings) == fails
    assert [(one.path, one.lines) for one in reading.part.sources] == [("a.log", len(lines)), ("b.log", 1)]
