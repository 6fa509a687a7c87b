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
KINDS = ("ValueError", "ShardError")
"""An exception that an entry knows, and one that none does."""
PEER = [*_HEAD, '  File "/app/t.py", line 33, in main', "    dist.barrier()", "RuntimeError: Connection closed by peer"]


def own(kind: str) -> list[str]:
    raised = [f"    raise {kind}(", f"{kind}: lane 7 of the sampler", "was never bound", "to a feeder"]
    return [*_HEAD, '  File "/app/t.py", line 21, in main', *raised]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", FORMS)
def test_each_has_its_own_record(form: str, kind: str, catalog: Catalog) -> None:
    def said(speaker: int, line: str) -> str:
        return FORMS[form].replace("N", str(speaker)) + line

    loaded = [said(speaker, f"loaded shard {shard} of the set") for shard in range(6) for speaker in range(3)]
    turns = zip_longest(["", *PEER], own(kind), ["", *PEER])
    raised = [said(number, line) for turn in turns for number, line in enumerate(turn) if line]
    found = explain_text("\n".join(chain(loaded, raised)) + "\n", "x.log", catalog).findings
    root = next(one for one in found if one.role == "root")
    assert root.fields["message"] == "lane 7 of the sampler was never bound to a feeder"
    assert root.evidence[0].text.endswith(f"{kind}: lane 7 of the sampler")
    assert all("barrier" not in str(one) for one in root.evidence)
