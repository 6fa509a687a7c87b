"""What stands beside a root cause: lines of its event follow from it, another failure does not."""

from __future__ import annotations

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

RAISED = 'Traceback (most recent call last):\n  File "/opt/a.py", line 3, in <module>\n    go()\n'
ROOT = "ModuleNotFoundError: No module named 'frob'\n"
STEPS = "step 1 done\n" * 20


@pytest.mark.parametrize(
    ("text", "line", "role"),
    [
        (f"ERROR app - worker 2 met an error:\n{RAISED}{ROOT}", 1, "consequence"),
        (f"ERROR app - cannot reach 10.0.0.1: connection refused\n{RAISED}{ROOT}", 1, "context"),
        (f"{RAISED}{ROOT}\nERROR app - start failed\n", 6, "consequence"),
        (f"{RAISED}{ROOT}\nERROR app - pool 3: checksum mismatch in block 7\n", 6, "context"),
        (f"{RAISED}{ROOT}{STEPS}ERROR app - start failed\n", 25, "context"),
        (f"ERROR: No module named 'frob'\n{RAISED}{ROOT}", 1, "consequence"),
        (
            "trn2: [F137] neuronx-cc was forcibly killed - mostly\n    due to insufficient system memory\n",
            2,
            "consequence",
        ),
    ],
)
def test_lines_of_the_same_event_follow_from_the_root(text: str, line: int, role: str, catalog: Catalog) -> None:
    found = {one.evidence[0].line: one for one in explain_text(text, "a.log", catalog).findings}
    assert found[line].role == role or (role == "context" and found[line].severity != "error")
    assert (found[line].caused_by is None) == (role == "context")
