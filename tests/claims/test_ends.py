"""What ends well: said near the end or of the whole program; a log that is cut shows no end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.claims import endings
from neurontriage.claims.endings import Endings
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.cut import NEAR
from neurontriage.triage import explain_text

CACHED = "2026-08-06 06:03:58.000347:  39526  [INFO]: Using a cached neff at /c/MODULE_182999+bad9cf09/model.neff\n"
COMPILED = "2023-08-14 08:15:08.000106:  715601  INFO ||NCC_WRAPPER||: Exiting with a successfully compiled graph.\n"
PASS = "2026-01-19T07:40:00Z USER 7156 [ModuleForkPass]: dynamic_dma_setup finished after 0.001 seconds\n"
STATUS = "2026-01-19T07:40:00Z USER 7156 [root]: Compiler status PASS\n"
TRAINED = "Training completed. Do not forget to share your model on huggingface.co/models =)\n"
SHUT = "INFO:     Application shutdown complete.\n"
LEFT = "/opt/lib/resource_tracker.py:301: UserWarning: resource_tracker: 2 leaked objects at shutdown\n"
DENIED = "PermissionError: [Errno 13] Permission denied: '/data/x'\n"


def rows(count: int) -> str:
    return "".join(f"row {number} of the listing\n" for number in range(count))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (CACHED, "clean"),
        (COMPILED + rows(NEAR - 1), "clean"),
        (COMPILED + rows(NEAR), "unknown"),
        (CACHED + rows(3) + "step 10 lo", "unknown"),
        (CACHED + COMPILED.rstrip(), "clean"),
        (rows(9) + PASS, "unknown"),
        (rows(9) + PASS + STATUS, "clean"),
        (TRAINED + rows(300), "clean"),
        (TRAINED + rows(300) + "row", "unknown"),
        (rows(300) + SHUT, "clean"),
        (rows(300) + SHUT + LEFT + "  warnings.warn(\n", "clean"),
        (rows(300) + SHUT + (LEFT + "  warnings.warn(\n") * 5, "clean"),
        (rows(300) + SHUT + rows(NEAR) + LEFT, "unknown"),
        (rows(300) + SHUT + LEFT + DENIED, "failed"),
        (rows(300) + SHUT + LEFT + "  warn", "unknown"),
        (rows(300) + "INFO:     Finished server process [2348]\n" + LEFT, "clean"),
        (rows(300) + "2026-01-19 07:40:00 server stopped gracefully\n" + LEFT, "clean"),
        (rows(300), "unknown"),
        (COMPILED * 500 + rows(3), "clean"),
        (COMPILED * 500 + rows(NEAR), "unknown"),
    ],
)
def test_what_ends_well(catalog: Catalog, text: str, verdict: str) -> None:
    assert explain_text(text, catalog=catalog).verdict == verdict


@settings(max_examples=40, deadline=None)
@given(rest=st.integers(1, 400), end=st.sampled_from(["loading", "step 3 of", "  warn", "2026-08-06 06:0"]))
def test_a_log_that_is_cut_in_a_line_is_not_clean(catalog: Catalog, rest: int, end: str) -> None:
    assert explain_text(CACHED + COMPILED + rows(rest) + end, catalog=catalog).verdict == "unknown"


def test_the_last_lines_of_so_many_logs_are_kept_however_they_are_put_together() -> None:
    """Ten thousand ranks take no more memory, and any grouping keeps the same ones."""

    def part(number: int) -> Endings:
        one = Endings()
        one.told(f"{number}.log", [(9, f"the end of {number}")])
        one.heads[f"{number}.log"] = b"the head"
        return one

    one, several = Endings(), [Endings() for _ in range(3)]
    for number in range(endings._MOST_LOGS + 50):
        one.take(part(number))
        several[number * 3 // (endings._MOST_LOGS + 50)].take(part(number))
    together = Endings()
    for group in several:
        together.take(group)
    assert list(one.last) == list(together.last) == [f"{number}.log" for number in range(endings._MOST_LOGS)]
    assert one.heads.keys() == together.heads.keys() == one.last.keys()
