"""What a program says last is why, where whoever ran it only reports that it ended: a matrix of sentences and ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

GIVEN: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "said_last.yaml").read_text())
LINE = GIVEN["above"].count("\n") + 1
WARNED = [level + said for level in GIVEN["levels"] for said in (*GIVEN["sentences"], *GIVEN["warned"])]


@pytest.mark.parametrize("end", GIVEN["ends"])
@pytest.mark.parametrize("between", GIVEN["between"])
@pytest.mark.parametrize("said", [*GIVEN["sentences"], *WARNED])
def test_the_last_sentence_above_a_report_is_the_root(said: str, between: str, end: str, catalog: Catalog) -> None:
    log = f"{GIVEN['above']}{said}\n{GIVEN['between'][between]}{GIVEN['ends'][end]}"
    [root, *_] = explain_text(log, "a.log", catalog).roots
    assert root.evidence[0].line == LINE


@pytest.mark.parametrize("said", WARNED)
def test_the_same_warning_fails_nothing_where_the_job_ends_well(said: str, catalog: Catalog) -> None:
    well = "2026-03-04 10:00:07,009 - job - INFO - training finished, model saved to /out/model.pt\n"
    assert not explain_text(f"{GIVEN['above']}{said}\n{well}", "a.log", catalog).roots
