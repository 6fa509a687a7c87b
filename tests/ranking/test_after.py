"""What is seen below a complaint, weighed against how it is said; and that the same below a worse one hides nothing."""

from __future__ import annotations

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

FRAMES = 'Traceback (most recent call last):\n  File "/app/run.py", line 7, in main\n    load()\n'
RAISED = f"{FRAMES}ValueError: shard 3 has no rows\n"
STEPS = "".join(f"step {n}/900 loss {9 - n / 100:.2f}\n" for n in range(10, 70, 10))
SERVED = "".join(f"INFO 03-01 10:00:0{n} api: POST /v1/embed HTTP/1.1 200\n" for n in range(4))
ALIVE = "".join(f'INFO:     10.0.0.8:4120{n} - "GET /health HTTP/1.1" 200 OK\n' for n in range(4))
KLOG = 'E0301 10:00:01.000001       1 store.go:9] "Failed to get lease" err="leases \\"a\\" not found"\n'
LATER = (
    "I0301 10:00:03.000001       1 store.go:41] acquired lease a\n"
    "I0301 10:00:04.000001       1 cache.go:20] caches are synced\n"
    "I0301 10:02:06.000001       1 bind.go:88] bound pod train/a to 4 cores\n"
)
UNIT = (
    "Mar 04 07:00:00 n1 systemd[1]: Started llm.service.\n"
    "Mar 04 07:00:02 n1 llm[90]: model table is locked\n"
    "Mar 04 07:00:02 n1 systemd[1]: llm.service: Main process exited, code=exited, status=1/FAILURE\n"
    "Mar 04 07:00:02 n1 systemd[1]: llm.service: Failed with result 'exit-code'.\n"
)
ANEW = (
    "Mar 04 07:00:07 n1 systemd[1]: Started llm.service.\n"
    "Mar 04 07:00:09 n1 llm[112]: model table read\n"
    "Mar 04 07:00:40 n1 llm[112]: 8 slots are free\n"
    "Mar 04 07:05:40 n1 llm[112]: served 41 requests\n"
)
PYTHON = f">>> load()\n{FRAMES.replace('/app/run.py', '<stdin>')}ValueError: shard 3 has no rows\n"
TREE = " ├─✖ embed(0)   embed   nightly-x7-2   40m   Error (exit code 137): OOMKilled\n"
POD = "train-0   0/1     CrashLoopBackOff   1 (12s ago)   4m14s\n"
README = "$ cat README.md\n## When it fails\nRuntimeError: device 3 is not there\n"


def failed(text: str, catalog: Catalog) -> str:
    """The line that states the root cause; "" if nothing failed."""
    roots = explain_text(text, catalog=catalog).roots
    return roots[0].evidence[0].text if roots else ""


@pytest.mark.parametrize(
    ("said", "below", "well"),
    [
        ("WARNING 03-01 10:00:00 api: cannot read the table of limits\n", SERVED, True),
        (f"ERROR 03-01 10:00:00 api: table: {RAISED}", SERVED, True),
        (KLOG, LATER, True),
        (RAISED, STEPS, True),
        (UNIT, ANEW, True),
        (PYTHON, ">>> x = 3\n>>> x + 1\n4\n>>> exit()\n", True),
        (TREE, " └─✔ embed(1)   embed   nightly-x7-3   58m\n", True),
        (TREE, " └─✔ pack(0)   pack   nightly-x7-4   4m\n", False),
        (POD, "train-0   0/1     Completed   2   51m\n", True),
        (POD, "train-1   0/1     Completed   0   51m\n", False),
        (README, "$ python run.py\nready\n3 files\n$ \n", True),
        ("ERROR 03-01 10:00:00 api: the pool of workers is broken\n", ALIVE, False),
        (RAISED, STEPS.replace("step", "waiting"), False),
        (RAISED, "job log copied\nreport written\n", False),
        (KLOG, "", False),
        (UNIT, "", False),
        (UNIT, ANEW.splitlines(keepends=True)[0], False),
        (PYTHON, ">>> exit()\n", False),
        (README.replace("README.md", "train.log"), "$ ls\nready\n3 files\n$ \n", False),
    ],
)
def test_what_happens_below_decides(said: str, below: str, well: bool, catalog: Catalog) -> None:
    assert bool(failed(said + below, catalog)) is not well


@pytest.mark.parametrize("said", [KLOG, RAISED, UNIT])
def test_what_fails_later_is_the_root(said: str, catalog: Catalog) -> None:
    below = {KLOG: LATER, RAISED: STEPS, UNIT: ANEW}[said]
    end = "Traceback (most recent call last):\n  File \"/app/b.py\", line 1, in <module>\nKeyError: 'rows of b'\n"
    assert "rows of b" in failed(said + below + end, catalog)


def test_of_a_signal_or_a_fatal_word_no_steps_are_a_proof(catalog: Catalog) -> None:
    assert failed("Segmentation fault (core dumped)\n" + STEPS, catalog)
    assert failed("2026-03-01 10:00:00 FATAL loader: the table is damaged\n" + STEPS, catalog)
