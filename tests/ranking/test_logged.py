"""What loggers say right above and below an end, or in the middle of a run: a matrix of lines (`logged.yaml`)."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

GIVEN = yaml.safe_load((Path(__file__).parent / "logged.yaml").read_text())
STEPS = [f"step {n} of 900, loss {4 - n / 90:.2f}" for n in range(70, 91)]
LATER = [line.replace("step ", "step 1") for line in STEPS]
RAISED = "ValueError: the table of shard 3 holds rows of two kinds"
TRACEBACK = f'Traceback (most recent call last):\n  File "/app/train.py", line 212, in <module>\n    main()\n{RAISED}'


def root(lines: list[str], catalog: Catalog) -> str:
    """The line that states the root cause; "" if nothing failed."""
    roots = explain_text("\n".join(lines) + "\n", catalog=catalog).roots
    return roots[0].evidence[0].text if roots else ""


@pytest.mark.parametrize("case", GIVEN["died"], ids=lambda case: case["above"][:40])
def test_a_program_died_of_the_traceback_of_its_outermost_frame(case: dict[str, list[str]], catalog: Catalog) -> None:
    assert root([*STEPS, str(case["above"]), TRACEBACK, *case["below"]], catalog) == RAISED


@pytest.mark.parametrize("end", GIVEN["ends"])
@pytest.mark.parametrize("said", GIVEN["parting"])
def test_the_last_error_above_the_report_of_an_end_is_the_root(said: str, end: str, catalog: Catalog) -> None:
    assert root([*STEPS, said, end], catalog) == said


@pytest.mark.parametrize("said", GIVEN["survived"])
def test_steps_below_show_that_nothing_failed(said: str, catalog: Catalog) -> None:
    assert not root([*STEPS, said.replace("{traceback}", TRACEBACK), *LATER, "training is done"], catalog)


@pytest.mark.parametrize("error", GIVEN["errors"])
@pytest.mark.parametrize("counted", GIVEN["counted"])
def test_what_counts_gives_way_to_what_is_called_an_error(counted: str, error: str, catalog: Catalog) -> None:
    assert root([counted, *STEPS[:4], error, "+ rc=1", "Job failed with exit code 1"], catalog) == error


def test_an_error_with_which_a_log_breaks_off_is_suspected(catalog: Catalog) -> None:
    found = explain_text("\n".join([*STEPS, GIVEN["survived"][1]]) + "\n", catalog=catalog)
    assert not found.roots
    assert [one.line for one in found.suspects] == [len(STEPS) + 1]
