"""Lines with which a launcher starts the job again, and those that only speak of a try."""

from __future__ import annotations

import pytest

from neurontriage.facts.restarts import Restart, restarts
from neurontriage.facts.runs import Begins
from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

FAILS = "Traceback (most recent call last):\n  File \"/opt/a.py\", line 9, in <module>\n    f()\nKeyError: '{}'\n"
STEPS = "".join(f"step {number} loss {3 - number / 50:.2f}\n" for number in range(20))
AGAIN = {
    "launcher": "[launcher] attempt 2 of 3\n",
    "words": "job ended with 1, starting attempt 2\n",
    "action": "2026-03-02T09:14:11.0002120Z Attempt 2\n",
    "torchelastic": "[default] Worker group FAILED. 3/3 attempts left; will restart worker group\n",
    "systemd": "Mar 02 11:20:11 n1 systemd[1]: train.service: Scheduled restart job, restart counter is at 1.\n",
    "slurm": "slurmstepd: error: *** JOB 77 ON n1 CANCELLED AT 2026-03-02T03:21:40 DUE TO JOB REQUEUE ***\n",
    "driver": "2026-03-02 03:21:40,112 WARNING driver child 1 exited with 1; resubmitting on another node\n",
}


@pytest.mark.parametrize("about", AGAIN)
def test_a_job_that_went_well_when_it_was_started_again_has_not_failed(about: str, catalog: Catalog) -> None:
    text = f"{STEPS}{FAILS.format('lr')}{AGAIN[about]}{STEPS}Training completed.\n"
    diagnosis = explain_text(text, catalog=catalog)
    assert diagnosis.verdict == "clean" and len(diagnosis.runs) == 2


@pytest.mark.parametrize("about", AGAIN)
def test_of_several_starts_the_last_that_failed_is_explained(about: str, catalog: Catalog) -> None:
    text = f"{STEPS}{FAILS.format('lr')}{AGAIN[about]}{STEPS}{FAILS.format('rank')}"
    [root] = explain_text(text, catalog=catalog).roots
    assert (root.evidence[0].line, root.evidence[0].text) == (49, "KeyError: 'rank'")


@pytest.mark.parametrize(
    "line",
    [
        "upload of part-3: attempt 2/5",
        "attempt 2 of 5 failed: HTTP 503",
        "will restart the server after 3 attempts",
        "docs: `attempt 2 of 3` is printed by the launcher",
    ],
)
def test_other_tries_start_no_run(line: str) -> None:
    assert list(restarts(f"text\n{line}\n".encode(), 0)) == []


def test_lines_count_from_the_beginning_of_the_log() -> None:
    assert list(restarts(f"a\nb\n{AGAIN['launcher']}c\n{AGAIN['slurm']}d\n".encode(), 10)) == [Restart(13), Restart(16)]
    assert list(restarts(b"=== attempt 1/3 ===\n", 0)) == [Restart(1, first=True)]


def test_what_comes_all_the_time_starts_no_runs() -> None:
    assert Begins(restarts=[Restart(20 * number) for number in range(1, 99)]).starts() == []
    assert Begins(restarts=[Restart(20), Restart(21), Restart(60)]).starts() == [20, 60]
