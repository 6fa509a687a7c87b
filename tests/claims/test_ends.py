"""The last line of a steady log: whether it says that the run failed."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

ENDS: dict[str, list[str]] = yaml.safe_load(Path(__file__).with_name("ends.yaml").read_text("utf-8"))
STEADY = ["table {n} read in 9 ms", "shard {n} opened, 31 rows", "window {n} of 80 moved on", "prefetch {n} took 4 us"]
HEADERS = ("{said}", "10:00:{n:02d} {said}")
LENGTHS = (12, 90)
INFORMS = "2026-03-02 10:00:{n:02d},123 - trainer - INFO - {said}"


def fails(last: str, header: str, length: int, catalog: Catalog) -> bool:
    said = [*(STEADY[number % 4].format(n=number) for number in range(length)), last]
    text = "".join(f"{header.format(n=number % 60, said=one)}\n" for number, one in enumerate(said))
    return any(one.severity == "error" for one in explain_text(text, "x.log", catalog).findings)


@pytest.mark.parametrize("last", ENDS["ill"])
def test_a_run_that_failed_says_so_last(last: str, catalog: Catalog) -> None:
    assert all(fails(last, header, length, catalog) for header in HEADERS for length in LENGTHS)


@pytest.mark.parametrize("last", ENDS["well"])
def test_a_run_that_did_not_fail_raises_no_alarm(last: str, catalog: Catalog) -> None:
    assert not any(fails(last, header, length, catalog) for header in (*HEADERS, INFORMS) for length in LENGTHS)


@pytest.mark.parametrize("last", ["Training failed.", "Build failed", "task read-7 failed", "Aborting.", "exit code 1"])
def test_information_on_how_the_whole_ended_counts_as_the_last_line_alone(last: str, catalog: Catalog) -> None:
    assert fails(last, INFORMS, LENGTHS[0], catalog)
    assert not fails(f"{last}\n{INFORMS.format(n=59, said='resumed from step 7')}", INFORMS, LENGTHS[0], catalog)
