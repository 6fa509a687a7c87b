"""What a line concludes of a run by its form, whatever program prints it; its twin that went well never alarms."""

from __future__ import annotations

import pytest

from neurontriage.claims.rows import replaced, row
from neurontriage.claims.statuses import status_asked
from neurontriage.claims.verdicts import verdict

# By form: lines of runs that failed, each with its twin of a run that went well.
PAIRS = {
    "count": [
        ("5 of 9 widgets incomplete", "0 of 9 widgets incomplete"),
        ("widgets: 4 ok, 2 broken", "widgets: 6 ok, 0 broken"),
        ("===== 3 failed, 8 passed in 1.02s =====", "===== 0 failed, 11 passed in 1.02s ====="),
        ("Tests run: 9, Failures: 1, Errors: 0", "Tests run: 9, Failures: 0, Errors: 0"),
        ("FAILED (failures=1, errors=2)", "OK (failures=0)"),
        ("node7 : ok=4 changed=1 unreachable=1 failed=0", "node7 : ok=5 changed=1 unreachable=0 failed=0"),
        ("copied 7, failed 2", "copied 9, failed 0"),
        ("found 2 errors in 4 files", "found 0 errors in 4 files"),
        ("2026-11-20 03:00:10 INFO runner: 3 files corrupted", "2026-11-20 03:00:10 INFO runner: 0 files corrupted"),
        ("[rank2]: errors: 4", "[rank2]: errors: 0"),
        ("9 widgets, missing: 2", "expected 9 widgets, have 9"),
        ("7 widgets, 2 not uploaded", "7 widgets, 0 not uploaded"),
        ("0 of 18 cases measured", "0 of 18 cases damaged"),
    ],
    "row": [
        ("77.batch  FAILED 2:0", "77.batch  COMPLETED 0:0"),
        ("77|widget|OUT_OF_MEMORY|0:125|", "77|widget|COMPLETED|0:0|"),
        ("widget-0   0/1     CrashLoopBackOff   6 (2m ago)   9m", "widget-0   0/1     Completed   0   9m"),
        ("widget   Failed   0/1   5m   5m", "widget   Complete   1/1   5m   5m"),
        (
            "77     me   EXIT  normal     n0        n1       widget",
            "77     me   DONE  normal     n0        n1       widget",
        ),
    ],
    "status": [
        ("Exit_status=1", "Exit_status=0"),
        ("widget exited with code 3", "widget exited with code 0"),
        ("   (1) Normal termination (return value 7)", "   (1) Normal termination (return value 0)"),
        ('"reason": "x", "exitCode": 1', '"reason": "x", "exitCode": 0'),
        ("INFO exited: widget (exit status 4; not expected)", "INFO exited: widget (exit status 0; expected)"),
        ("rc=5", "rc=0"),
        ("agent: quitting with 69", "agent: quitting with 0"),
        ("run: ended with status 75", "run: ended with status 0"),
    ],
    "judgement": [
        ("verdict: NOT OK", "verdict: OK"),
        ("FAIL", "PASS"),
        ("   JobState=FAILED Reason=NonZero", "   JobState=COMPLETED Reason=None"),
        ('"TrainingJobStatus": "Failed",', '"TrainingJobStatus": "Completed",'),
        ("Smoke test: UNSUCCESSFUL", "Smoke test: OK"),
        ("BUILD FAILED in 3s", "BUILD SUCCESSFUL in 3s"),
        ("success: false", "success: true"),
        ("not ok 3 - widget", "ok 3 - widget"),
    ],
}
WELL = [
    "--max-errors 3",
    "failureThreshold: 3",
    "tolerated failures: 3",
    "3 failures ignored",
    "2 errors were fixed",
    "12 not upgraded",
    "word error rate: 3.2 %",
    "mean error: 0.3",
    "error=2e-5",
    "rank 3 lost its lease",
    "previous attempt exited with code 137",
    "if it exits with status 1, look at dmesg",
    "WARNING: 3 files missing",
    "make || exit 1",
    "restartPolicy: OnFailure",
    "log_level: error",
    "2025-11-20 10:14:45  84:84    ERROR   NRT:nrt_close",
    "INFO optional probe failed",
    "health check failed once, now healthy",
    "exited with code 143",
    "cache: 12 hits, 3 misses",
    "step 3 loss 2.1",
    "status: running",
    "",
]


@pytest.mark.parametrize(("form", "ill"), [(form, one) for form, pairs in PAIRS.items() for one, _ in pairs])
def test_what_went_wrong(form: str, ill: str) -> None:
    found = verdict(ill)
    assert found is not None
    assert (found.ill, found.form) == (True, form)


@pytest.mark.parametrize("well", [one for pairs in PAIRS.values() for _, one in pairs])
def test_what_went_well(well: str) -> None:
    found = verdict(well)
    assert found is not None
    assert not found.ill


@pytest.mark.parametrize("text", WELL)
def test_what_concludes_nothing(text: str) -> None:
    found = verdict(text)
    assert found is None or not found.ill


@pytest.mark.parametrize(
    ("text", "ill"),
    [
        ("giving up", True),
        ("giving the run up", True),
        ("no worker is left", True),
        ("no node is left, all pods moved", False),
        ("widget 2 is gone", False),
        ("worker 2 is gone", True),
        ("nothing was started", True),
        ("the widget run ended with errors", True),
        ("cannot continue", True),
        ("widget 3 failed", True),
        ("the export was interrupted before its end", True),
        ("it may be giving up", False),
        ("giving up, using the default", False),
    ],
)
def test_sentences_of_an_end(text: str, ill: bool) -> None:
    assert (verdict(text) is not None) is ill


@pytest.mark.parametrize("text", ["ended without errors", "sync done, no problems", "INFO no failures."])
def test_what_denies_a_failure(text: str) -> None:
    assert (found := verdict(text)) is not None and not found.ill


@pytest.mark.parametrize("text", ["could not start, no errors", "it stopped with no error message"])
def test_what_denies_none(text: str) -> None:
    assert verdict(text) is None


def test_of_calm_lines_only_the_run_is_asked() -> None:
    assert verdict("INFO widget failed") is None
    for said in ("widget run ended prematurely", "weights are broken, stopping", "the job was evicted"):
        found = verdict(f"INFO {said}")
        assert found is not None
        assert found.calm


@pytest.mark.parametrize(
    ("well", "ill", "stands"),
    [
        ("77.extern COMPLETED 0:0", "77.batch FAILED 1:0", False),
        ("78 COMPLETED 0:0", "77 FAILED 1:0", True),
        ("78 sft COMPLETED 0:0", "77 sft FAILED 1:0", True),
        ("78 evaluate COMPLETED 0:0", "77 sft FAILED 1:0", False),
        ("77_3 sft COMPLETED 0:0", "77_2 sft FAILED 1:0", False),
        ("pre-13b-b9d4q 0/1 Completed 0 1m", "pre-13b-x7k2p 0/1 Error 0 9m", True),
        ("pre-70b-b9d4q 0/1 Completed 0 1m", "pre-13b-x7k2p 0/1 Error 0 9m", False),
        ("train-1 0/1 Completed 0 1m", "train-0 0/1 Error 0 9m", False),
        ("train-0 0/1 Completed 1 1m", "train-0 0/1 Error 0 9m", True),
    ],
)
def test_rows_of_what_takes_the_place_of_what_failed(well: str, ill: str, stands: bool) -> None:
    one, other = row(well), row(ill)
    assert one is not None
    assert other is not None
    assert (one.ill, other.ill) == (False, True)
    assert replaced(one, other) is stands


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("$ echo $?", True),
        ("[me@n1 run]$ echo $?", True),
        ("me@n1:~$ echo $?", True),
        ("$ echo 1", False),
        ("a $? b", False),
    ],
)
def test_the_status_that_is_asked_for(text: str, asks: bool) -> None:
    assert status_asked(text) is asks
