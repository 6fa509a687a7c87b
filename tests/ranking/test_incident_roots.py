"""Which of several logs of an incident states the root: reports and peers give way to whoever failed in another log."""

from __future__ import annotations

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import diagnose

DIED = (
    'Traceback (most recent call last):\n  File "/srv/run.py", line 12, in run\n    raise it\n'
    "run.BucketEmpty: bucket 7 holds 0 of 512 rows\n"
)
LAUNCHER = "srun: error: n1: task 0: Exited with exit code 1\n"
LOST = "[rank1]: ERROR ring: Connection closed by remote peer\n"
MISSED = "[rank1]: ERROR store: Timed out waiting for clients, 3/4 clients joined\n"
COMMAND = "rm: cannot remove '/tmp/old': No such file or directory\n"
WARNED = "/srv/run.py:3: UserWarning: bucket 7 is empty\n"


@pytest.mark.parametrize(
    ("one", "other", "root"),
    [
        (LAUNCHER, DIED, "b"),
        (DIED, LAUNCHER, "a"),
        (MISSED, DIED, "b"),
        (DIED, MISSED, "a"),
        (LAUNCHER, WARNED, "a"),
        (LAUNCHER, "step 1 of 3\n" * 3, "a"),
        (MISSED, LAUNCHER, "a"),
        (MISSED, COMMAND, "a"),
    ],
)
def test_the_log_of_the_root(catalog: Catalog, one: str, other: str, root: str) -> None:
    found = diagnose([("a", [one.encode()]), ("b", [other.encode()])], catalog)
    roots = [finding for finding in found.findings if finding.role == "root"]
    assert [finding.evidence[0].path for finding in roots][:1] == [root], [
        (f.id, f.evidence[0]) for f in found.findings
    ]
