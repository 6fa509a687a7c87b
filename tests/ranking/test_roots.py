"""Which line is the root of a log, or that there is none: a list of logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

GIVEN: dict[str, dict[str, dict[str, Any]]] = yaml.safe_load((Path(__file__).parent / "roots.yaml").read_text())
LOGS = {f"{group}: {name}": case for group, cases in GIVEN.items() for name, case in cases.items()}


@pytest.mark.parametrize("name", LOGS)
def test_the_root_is_the_line_that_says_why(name: str, catalog: Catalog) -> None:
    case = LOGS[name]
    roots = explain_text(case["log"], "a.log", catalog).roots
    if case.get("quiet"):
        assert not roots
    else:
        assert case["root"] in roots[0].evidence[0].text
        assert case.get("id", roots[0].id) == roots[0].id
