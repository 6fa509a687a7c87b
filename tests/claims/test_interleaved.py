"""What several speakers print line by line in turns is each one's own, however their lines say whose they are."""

from __future__ import annotations

from itertools import chain, zip_longest
from pathlib import Path

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

FORMS: dict[str, str] = yaml.safe_load(Path(__file__).with_name("interleaved.yaml").read_text())
_HEAD = ["Traceback (most recent call last):", '  File "/app/t.py", line 40, in <module>', "    main()"]
OWN = [
    *_HEAD, '  File "/app/t.py", line 21, in main', "    raise ValueError(", "ValueError: lane 7 of the sampler",
    "was never bound", "to a feeder",
]  # fmt: skip
PEER = [*_HEAD, '  File "/app/t.py", line 33, in main', "    dist.barrier()", "RuntimeError: Connection closed by peer"]


@pytest.mark.parametrize("form", FORMS)
def test_each_has_its_own_record(form: str, catalog: Catalog) -> None:
    def said(speaker: int, line: str) -> str:
        return FORMS[form].replace("N", str(speaker)) + line

    loaded = [said(speaker, f"loaded shard {shard} of the set") for shard in range(6) for speaker in range(3)]
    turns = zip_longest(["", *PEER], OWN, ["", *PEER])
    raised = [said(number, line) for turn in turns for number, line in enumerate(turn) if line]
    found = explain_text("\n".join(chain(loaded, raised)) + "\n", "x.log", catalog).findings
    root = next(one for one in found if one.role == "root")
    assert root.fields["message"] == "lane 7 of the sampler was never bound to a feeder"
    assert root.evidence[0].text.endswith(OWN[5])
    assert all("barrier" not in str(one) for one in root.evidence)
