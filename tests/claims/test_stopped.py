"""Who stopped the run: a person, whoever may end processes, or a limit."""

from __future__ import annotations

import pytest

from neurontriage.claims.interrupt import ended_from_outside
from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

STOPPED = """
KeyboardInterrupt
torchrun: received SIGINT
slurmstepd: error: *** JOB 7 ON node1 CANCELLED AT 2025-01-01T10:00:00 ***
Received signal 2, shutting down
Signal 2 from the shell
failed (exitcode: -2) local_rank: 0
Received SIGTERM
Signal: 15
signal 15
15 death signal
exitcode : -15
(APIServer pid=14193) KeyboardInterrupt: terminated
"""
FAILED = """
*** JOB 7 CANCELLED AT 2025-01-01T10:00:00 DUE TO TIME LIMIT ***
*** JOB 7 CANCELLED AT 2025-01-01T10:00:00 DUE TO NODE FAILURE ***
*** STEP 7.0 CANCELLED AT 2025-01-01T10:00:00 DUE TO OUT OF MEMORY ***
oom-kill: SIGINT
Signal 6
exitcode : -11
MyKeyboardInterruption
signal 20
"""


@pytest.mark.parametrize("text", STOPPED.strip().splitlines())
def test_stopped(text: str) -> None:
    assert ended_from_outside(text)


@pytest.mark.parametrize("text", FAILED.strip().splitlines())
def test_not_stopped(text: str) -> None:
    assert not ended_from_outside(text)


STEPS = " iteration      200/    1000 | elapsed time per iteration (ms): 1382.2 | lm loss: 7.4E+00\n" * 5
ABORTED = "srun: Job step aborted: Waiting up to 62 seconds for job step to finish.\nKilling subprocess 7949\n"
CANCELLED = "slurmstepd: error: *** STEP 7.0 ON node1 CANCELLED AT 2025-01-01T10:00:00{} ***\nKilling subprocess 7951\n"


@pytest.mark.parametrize(("reason", "verdict"), [("", "warned"), (" DUE TO TIME LIMIT", "failed")])
def test_what_a_person_stopped_has_not_failed(catalog: Catalog, reason: str, verdict: str) -> None:
    """Also where a launcher said before that it takes its processes down."""
    found = explain_text(STEPS + ABORTED + CANCELLED.format(reason), catalog=catalog)
    assert found.verdict == verdict


@pytest.mark.parametrize(("said", "verdict"), [("", "warned"), (": terminated", "failed")])
def test_a_handler_of_sigterm_is_no_person(catalog: Catalog, said: str, verdict: str) -> None:
    """vLLM's API server raises `KeyboardInterrupt("terminated")` when it is told to stop: a limit, a probe, a stop."""
    frames = 'Traceback (most recent call last):\n  File "/srv/vllm/api_server.py", line 436, in signal_handler\n'
    found = explain_text(STEPS + frames + f"    raise KeyboardInterrupt\nKeyboardInterrupt{said}\n", catalog=catalog)
    assert found.verdict == verdict
