"""What fails in a phase that was announced as one whose failures do not count fails nothing, if it ends in order."""

from __future__ import annotations

import pytest

from neurontriage.claims.phases import announces
from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

BEGIN = "drill: faults are injected, errors are expected until it ends\n"
FAILS = "api: RuntimeError: device 3 is lost\nneuronx-cc: error: argument --lnc: invalid choice: 'x'\n"
END = "drill: end of the injection\n"
LATER = "api: RuntimeError: queue is full\n"


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        (BEGIN + FAILS + END + "api: request 4 served\n", False),
        (BEGIN + FAILS + "other: 12 requests\n" + END, False),
        (BEGIN + "drill: 4 faults\n" + FAILS + "api: up\ndrill: now the load test\n", False),
        (BEGIN.replace("drill: ", "") + FAILS + "the injection has ended\n", False),
        (FAILS + END, True),
        (BEGIN + FAILS, True),
        (BEGIN + FAILS + "api: request 4 served\n", True),
        (BEGIN + FAILS + "api: up\ndrill: aborted\n", True),
        (BEGIN + FAILS + "api: up\nERROR drill: no worker came back\n", True),
        (BEGIN + FAILS + END + LATER, True),
        (BEGIN.replace("are expected", "happen") + FAILS + END, True),
    ],
)
def test_a_phase_ends_in_order(catalog: Catalog, text: str, failed: bool) -> None:
    found = explain_text(text, "a.log", catalog)
    assert bool(found.roots) == failed
    if LATER in text:
        assert found.roots[0].evidence[0].text == LATER.strip()


@pytest.mark.parametrize(
    "line",
    [
        "Running trial run (also ignore trial run's generated outputs, i.e. loss, checkpoints)",
        "the errors below are expected",
        "sweeping 24 tilings; a tiling that does not compile is skipped",
        "each of these commands must fail",
        "expect some errors until the mirror is back",
        "warm-up: timings are not reported",
    ],
)
def test_announcements(line: str) -> None:
    assert announces(line)


@pytest.mark.parametrize(
    "line",
    [
        "the above errors are expected",
        "If errors are reported, they can be ignored",
        "ignore errors: false",
        "expected 4 results, got 3",
        "2 results were discarded",
        "this warning can be ignored",
    ],
)
def test_what_announces_nothing(line: str) -> None:
    assert not announces(line)


RAISED = 'Traceback (most recent call last):\n  File "/s/t.py", line 1, in <module>\n    f()\nLookupError: no path\n'
OWN = "2026-03-01 09:00:09 INFO step 1 of 400\n"


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ("OBSERVATION:\n" + RAISED + OWN, False),
        ("OBSERVATION:\n" + RAISED + "TOOL OUTPUT:\nok\n" + OWN, False),
        ("2026-03-01 09:00:01 INFO tool_result exit=1\n" + RAISED + OWN, False),
        ("<|user|> why?\n" + RAISED + OWN, False),
        ("--- rollout step=3 sample=1 ---\n" + RAISED + OWN, False),
        (RAISED + OWN, True),
        ("OBSERVATION:\n" + RAISED, True),
        ("OBSERVATION:\n" + OWN + RAISED, True),
        ("OBSERVATION:\n" + RAISED + "2026-03-01 09:00:09 ERROR the model is gone\n", True),
        ("OBSERVATION:\n" + 70 * "row of it\n" + RAISED + OWN, True),
        ("the tool output is empty, and that is wrong\n" + RAISED + OWN, True),
    ],
)
def test_a_shown_text_fails_nothing_until_the_log_speaks_itself(catalog: Catalog, text: str, failed: bool) -> None:
    assert bool(explain_text(text, "a.log", catalog).roots) == failed
