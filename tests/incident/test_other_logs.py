"""Each log of an incident ends for itself: what others report, wait for or end well takes no failure away."""

from __future__ import annotations

from pathlib import Path

import pytest

from neurontriage.incident.logs import read
from neurontriage.knowledge.catalog import Catalog

STEPS = "".join(f"step {number} loss {3 - number / 50:.2f}\n" for number in range(30))
FAILED = """Traceback (most recent call last):
  File "/opt/job/train.py", line 40, in <module>
    main()
  File "/opt/job/train.py", line 31, in main
    batch = sampler.next(rank)
IndexError: shard 7 has 4096 rows, row 4100 was asked for
"""
OTHERS = {
    "an older run that ended well": ("train.log.1", f"{STEPS}training done, exit code 0\n"),
    "a log beside it that ended well": ("upload.log", "upload of 12 files done\nall uploads completed successfully\n"),
    "the launcher of Slurm": (
        "slurm-9.out",
        "srun: error: n1: task 2: Exited with exit code 1\nsrun: Terminating StepId=9.0\n"
        "slurmstepd: error: *** STEP 9.0 ON n1 CANCELLED AT 2026-03-02T01:00:20 ***\n",
    ),
    "a rank that is stopped": (
        "a.log",
        f"{STEPS}W0302 03:44:50.102000 4400 torch/distributed/elastic/agent/server/api.py:719] Received 15 death "
        "signal, shutting down workers\n",
    ),
    "a rank that waits": (
        "rank_0.log",
        f"{STEPS}2026-Mar-02 04:41:11.0312 5000:5900 [0] socket.cc:541 CCOM WARN Timeout waiting for RX (waited 9 s)\n"
        "2026-Mar-02 04:51:11.0312 5000:5900 [0] socket.cc:541 CCOM WARN Net : Connection closed by remote peer\n",
    ),
    "a node that waits": (
        "node-0.log",
        'Traceback (most recent call last):\n  File "/opt/job/run.py", line 9, in <module>\n    init()\n'
        "torch.distributed.DistStoreError: Timed out after 901 seconds waiting for clients. 1/2 clients joined.\n",
    ),
}


@pytest.mark.parametrize("about", OTHERS)
@pytest.mark.parametrize("first", [True, False])
def test_the_log_that_failed_says_why(about: str, first: bool, catalog: Catalog, tmp_path: Path) -> None:
    name, text = OTHERS[about]
    failed = tmp_path / ("0-job.txt" if first else "zz-job.txt")
    failed.write_text(STEPS + FAILED)
    (tmp_path / name).write_text(text)
    [diagnosis] = read([str(tmp_path)], catalog).diagnoses
    assert [(root.evidence[0].path, root.evidence[0].line) for root in diagnosis.roots] == [(str(failed), 36)]
    assert diagnosis.verdict == "failed"
