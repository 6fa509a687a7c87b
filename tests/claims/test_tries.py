"""What is tried again fails nothing, what the last try failed of does; a try that went well is the last one."""

from __future__ import annotations

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

FIRST = "2026-01-02 03:04:05 WARNING attempt 1/2: failed to reach the ring\n"
LAST = "2026-01-02 03:04:06 ERROR attempt 2/2: failed to reach the ring\n"
REASON = "2026-01-02 03:04:06 ERROR failed to reach the ring: connection refused\n"
OK = "2026-01-02 03:04:06 WARNING attempt 2/2: HTTP 200\n"
WELL = "2026-01-02 03:04:06 ERROR attempt 2/2: failed to reach the ring, HTTP 200\n"
STEPS = "2026-01-02 03:04:07 INFO step 1 of 9, loss 3.1\n2026-01-02 03:04:08 INFO step 2 of 9, loss 3.0\n"


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        (FIRST + LAST, True),
        (FIRST + "2026-01-02 03:04:06 INFO attempt 2/2\n" + REASON, True),
        (FIRST + OK + STEPS, False),
        (FIRST + "2026-01-02 03:04:06 INFO attempt 2/2\n" + "2026-01-02 03:04:06 INFO connected\n" + STEPS, False),
        (FIRST + STEPS, False),
        (FIRST + WELL + STEPS, False),
        (FIRST + WELL.replace("HTTP 200", "HTTP 500") + STEPS, True),
    ],
)
def test_the_last_try_decides(catalog: Catalog, text: str, failed: bool) -> None:
    assert (explain_text(text, catalog=catalog).verdict == "failed") is failed


EXPECTED, RAISED = "INFO the next line is an expected error\n", "ValueError: bucket 7 holds 0 of 512 rows\n"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (RAISED + STEPS, "failed"),
        (EXPECTED + RAISED + STEPS, "warned"),
        (EXPECTED + RAISED + RAISED + STEPS, "failed"),
        (EXPECTED + RAISED + STEPS + RAISED, "failed"),
        ((EXPECTED + RAISED + STEPS) * 2, "warned"),
    ],
)
def test_what_is_announced_as_expected_is_so_once(catalog: Catalog, text: str, verdict: str) -> None:
    assert explain_text(text, catalog=catalog).verdict == verdict
