"""A rank that was killed says nothing: the launcher's report of it is the root, not what its peers then miss."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

GIVEN: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "fallen.yaml").read_text())
LENGTHS = (12, 400)
"""Steps of training above: an excerpt, and a log."""


def above(steps: int, says: str, prefix: str) -> str:
    done = "".join(f"[rank{step % 2}]: step {step} loss {3 - step / 500:.3f}\n" for step in range(steps))
    frames = f'{prefix}Traceback (most recent call last):\n{prefix}  File "/app/train.py", line 88, in main\n'
    return f"{done}{frames}{prefix}    dist.all_reduce(x)\n{prefix}{says}\n"


def root_line(text: str, catalog: Catalog) -> list[int]:
    [root, *_] = explain_text(text, "a.log", catalog).roots
    return [one.line for one in root.evidence]


@pytest.mark.parametrize("steps", LENGTHS)
@pytest.mark.parametrize("prefix", ["[rank0]: ", ""])
@pytest.mark.parametrize("report", GIVEN["fell"])
@pytest.mark.parametrize("says", GIVEN["misses"])
def test_the_report_of_who_fell_is_the_root(says: str, report: str, prefix: str, steps: int, catalog: Catalog) -> None:
    missed = above(steps, says, prefix)
    assert max(root_line(missed + GIVEN["fell"][report], catalog)) > missed.count("\n")


@pytest.mark.parametrize("report", GIVEN["ordinary"])
@pytest.mark.parametrize("says", GIVEN["misses"])
def test_the_end_of_the_one_that_speaks_is_none(says: str, report: str, catalog: Catalog) -> None:
    missed = above(LENGTHS[0], says, "[rank0]: ")
    assert root_line(missed + GIVEN["ordinary"][report], catalog)[0] <= missed.count("\n")


@pytest.mark.parametrize("report", GIVEN["fell"])
@pytest.mark.parametrize("says", GIVEN["owns"])
def test_what_states_a_failure_of_its_own_is_the_root(says: str, report: str, catalog: Catalog) -> None:
    stated = above(LENGTHS[0], says, "[rank0]: ")
    assert root_line(stated + GIVEN["fell"][report], catalog)[0] <= stated.count("\n")
