"""What a program tried again and then died of is the root: neither a try, nor that it gave up, nor nothing at all."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

GIVEN = yaml.safe_load(Path(__file__).with_name("retried.yaml").read_text())


@pytest.mark.parametrize("shown", [False, True], ids=["said", "shown"])
@pytest.mark.parametrize("raised", GIVEN["raised"], ids=range(len(GIVEN["raised"])))
@pytest.mark.parametrize("tried", GIVEN["tries"], ids=range(len(GIVEN["tries"])))
@pytest.mark.parametrize("exception", GIVEN["exceptions"], ids=range(len(GIVEN["exceptions"])))
def test_what_was_tried_in_vain_is_the_root(
    exception: str, tried: str, raised: str, shown: bool, catalog: Catalog
) -> None:
    tries = [f"{tried}\n{GIVEN['inner']}" if shown else tried] if tried else []
    end = raised.replace("INNER", GIVEN["inner"]).replace("OUTER", GIVEN["outer"])
    lines = [one.replace("{i}", str(number)) for number in (1, 2) for one in tries]
    text = "\n".join(["2026-11-30 02:00:00,100 INFO load: reading index", "step 1 loss 2.3", *lines, end, ""])
    text = text.replace("{e}", exception).replace("{c}", exception.partition(":")[0])
    found = explain_text(text, "x.log", catalog)
    assert [exception in one.evidence[0].text for one in found.roots] == [True]
