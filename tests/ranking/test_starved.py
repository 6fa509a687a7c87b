"""Who has nothing to work on dies of it later: the line that says so is the root, not the exception."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

GIVEN: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "starved.yaml").read_text())
LINE = GIVEN["above"].count("\n") + 1


def log(said: str, between: str, raised: str) -> str:
    frames = 'Traceback (most recent call last):\n  File "/srv/train.py", line 43, in main\n    go(x)\n'
    return f"{GIVEN['above']}{said}\n{between}{frames}{raised}\n"


@pytest.mark.parametrize("raised", GIVEN["raised"])
@pytest.mark.parametrize("between", GIVEN["between"])
@pytest.mark.parametrize("said", [level + one for level in GIVEN["levels"] for one in GIVEN["nothing"]])
def test_what_says_that_there_is_nothing_is_the_root(said: str, between: str, raised: str, catalog: Catalog) -> None:
    [root, *_] = explain_text(log(said, between, raised), "a.log", catalog).roots
    assert root.evidence[0].line == LINE


@pytest.mark.parametrize("raised", GIVEN["not_of_that"])
@pytest.mark.parametrize("said", [GIVEN["levels"][1] + one for one in GIVEN["nothing"]])
def test_what_fails_of_something_else_is_a_root_of_its_own(said: str, raised: str, catalog: Catalog) -> None:
    [root, *_] = explain_text(log(said, "", raised), "a.log", catalog).roots
    assert root.evidence[0].line > LINE
