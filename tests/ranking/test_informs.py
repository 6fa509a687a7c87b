"""What a program itself calls information fails nothing, unless it is a message that means one failure only."""

from __future__ import annotations

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

HEADER = "2026-07-02 18:55:53,123 {} worker.py:12 -- "
GENERAL = "ValueError: the number of rows differs"
PARTICULAR = "[TEN404] Internal tensorizer error: InferIntrinsicOnCC - Please open a support ticket"
AS_INFORMATION = "INFO:Neuron:Exception = Got an unexpected keyword argument 'value'"


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        (HEADER.format("ERROR") + GENERAL, True),
        (HEADER.format("INFO") + GENERAL, False),
        (HEADER.format("DEBUG") + GENERAL, False),
        (HEADER.format("INFO") + PARTICULAR, True),
        (AS_INFORMATION, True),
    ],
)
def test_a_class_of_failures_needs_a_line_that_calls_itself_one(catalog: Catalog, text: str, failed: bool) -> None:
    assert bool(explain_text(text + "\n", catalog=catalog).roots) is failed


REFUSED = "ERROR: connection refused by 10.0.0.2:8080"


@pytest.mark.parametrize(
    ("rest", "verdict"),
    [
        (", retrying", "warned"),
        (". Will retry", "warned"),
        (" (retrying in 5 s)", "warned"),
        (" after 5 retries", "failed"),
        (", not retrying any more", "failed"),
        (", retrying\nERROR: giving up: connection refused by 10.0.0.2:8080", "failed"),
    ],
)
def test_what_is_tried_again_has_not_failed_yet(catalog: Catalog, rest: str, verdict: str) -> None:
    assert explain_text(f"{REFUSED}{rest}\n", catalog=catalog).verdict == verdict
